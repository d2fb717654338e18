import type { table as english } from './table-en.ts'

export const table: typeof english = {
  empty: 'vide',
  undo: 'Annuler',
  range: (first, last, total) => `${first}–${last} sur ${total}`,
  countOf: (count, total) => `${count} sur ${total}`,
  peek: (title) => `Aperçu de ${title}`,
  columnsHint:
    'Faites glisser un en-tête pour déplacer sa colonne, et son bord pour la largeur. Au clavier : Alt avec ← → pour la largeur, Maj et Alt pour déplacer.',
  changed: (field, title) => `${field} de ${title} : modifié`,
  conflict: (value) =>
    `Quelqu’un l’a entre-temps changé en « ${value} ». Entrée enregistre votre valeur, Échap garde l’autre.`,
  without: (field) => `Sans ${field.toLowerCase()}`,
  filter: 'Filtre',
  gone: 'Ce champ n’existe plus : le filtre est sans effet.',
  daysFromNow: (days) => {
    if (days === 0) return 'aujourd’hui'
    const count = Math.abs(days) === 1 ? 'un jour' : `${Math.abs(days)} jours`
    return days < 0 ? `il y a ${count}` : `dans ${count}`
  },
  chooseMatching: (count) => `Choisir les ${count} qui correspondent`,
  countLabels: (count, labels) => `${count} ${labels}`,
  letGo: 'Tout désélectionner',
  changeField: 'Modifier un champ',
  change: 'Modifier',
  importWay: 'CSV ou JSON. Vous voyez d’abord comment chaque colonne est lue.',
}
