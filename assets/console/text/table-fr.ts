import type { table as english } from './table-en.ts'

/** The French texts of lists of rows: the table, its filters, its views, its layouts. */
export const table: typeof english = {
  empty: 'vide',
  range: (first, last, total) => `${first}–${last} sur ${total}`,
  countOf: (count, total) => `${count} sur ${total}`,
  peek: (title) => `Aperçu de ${title}`,
  columnsHint:
    'Faites glisser un en-tête pour déplacer sa colonne, et son bord pour la largeur. Au clavier : Alt avec une flèche pour la largeur, Maj et Alt pour déplacer.',
  changed: (field, title) => `${field} de ${title} : modifié`,
  takenBack: (field, title, value) => `${field} de ${title} est de nouveau « ${value} »`,
  conflict: (value) =>
    `Quelqu’un l’a entre-temps changé en « ${value} ». Entrée enregistre votre valeur, Échap garde l’autre.`,
  without: (field) => `Sans ${field.toLowerCase()}`,
  filter: 'Filtre',
  notValid: 'Cette valeur n’est pas valide : le filtre est sans effet.',
  gone: 'Ce champ n’existe plus : le filtre est sans effet.',
  me: 'moi',
  daysFromNow: (days) => {
    if (days === 0) return 'aujourd’hui'
    const count = Math.abs(days) === 1 ? 'un jour' : `${Math.abs(days)} jours`
    return days < 0 ? `il y a ${count}` : `dans ${count}`
  },
  lastDays: (days: number) => `${days} derniers jours`,
  chooseMatching: (count) => `Choisir les ${count} qui correspondent`,
  countLabels: (count, labels) => `${count} ${labels}`,
  letGo: 'Tout désélectionner',
  changeField: 'Modifier un champ',
  change: 'Modifier',
  importWay: 'CSV ou JSON. Vous voyez d’abord comment chaque colonne est lue.',
  previousRow: 'Ligne précédente',
  nextRow: 'Ligne suivante',
  openRow: 'Ouvrir la page de la ligne',
  keyStep: 'suivante, précédente',
  keyBack: 'retour à la liste',
  layout: 'Disposition',
  layouts: { table: 'Liste', board: 'Tableau', calendar: 'Calendrier' },
  groupBy: { table: 'Grouper par', board: 'Colonnes par', calendar: 'Jours par' },
  noGroup: 'rien',
  views: 'Vues',
  allRows: 'Tout',
  viewChanged: 'Elle montre autre chose que ce qui a été enregistré',
  saveView: 'Enregistrer comme vue',
  changeView: 'Modifier cette vue',
  viewName: 'Nom de la vue',
  viewHint: 'Elle garde les filtres, la recherche, l’ordre, les colonnes et la disposition.',
  viewShared: 'Tout le monde la voit',
  move: (title) => `Déplacer ${title}`,
  moving: (title, target) => `${title} vers ${target}`,
  noAction: (word) => `Aucune action ne mène à « ${word} ».`,
  drop: 'déposer',
  moreRows: (count) => `${count} de plus`,
  earlier: 'Mois précédent',
  later: 'Mois suivant',
  thisDay: 'Aujourd’hui',
  manyRows: (count) => `Les ${count} premières de ce mois sont affichées : un filtre montre les autres.`,
  showAll: 'Afficher toutes les lignes',
  /** The names of keys as they are printed on keyboards. */
  keys: { next: 'J', previous: 'K', open: 'O' },
}
