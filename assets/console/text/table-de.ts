import type { table as english } from './table-en.ts'

/** Listen von Zeilen: die Tabelle, ihre Filter, ihre Ansichten, ihre Anordnungen. */
export const table: typeof english = {
  empty: 'leer',
  range: (first, last, total) => `${first}–${last} von ${total}`,
  countOf: (count, total) => `${count} von ${total}`,
  peek: (title) => `${title} ansehen`,
  columnsHint:
    'Eine Überschrift ziehen versetzt ihre Spalte, ihr Rand ändert die Breite. Mit der Tastatur: Alt mit einem Pfeil für die Breite, Umschalt und Alt zum Versetzen.',
  changed: (field, title) => `${field} von ${title} ist geändert`,
  conflict: (value) =>
    `Jemand hat inzwischen „${value}“ gesetzt. Die Eingabetaste speichert Ihren Wert, Escape behält den anderen.`,
  without: (field) => `Ohne ${field}`,
  filter: 'Filter',
  notValid: 'Dieser Wert ist ungültig: Der Filter bewirkt nichts.',
  gone: 'Dieses Feld gibt es nicht mehr: Der Filter bewirkt nichts.',
  me: 'ich selbst',
  daysFromNow: (days) => {
    if (days === 0) return 'heute'
    const count = Math.abs(days) === 1 ? 'einem Tag' : `${Math.abs(days)} Tagen`
    return days < 0 ? `vor ${count}` : `in ${count}`
  },
  lastDays: (days: number) => `Letzte ${days} Tage`,
  chooseMatching: (count) => `Alle ${count} passenden auswählen`,
  countLabels: (count, labels) => `${count} ${labels}`,
  letGo: 'Auswahl aufheben',
  changeField: 'Ein Feld ändern',
  change: 'Ändern',
  importWay: 'CSV oder JSON. Sie sehen zuerst, wie jede Spalte gelesen wird.',
  previousRow: 'Vorige Zeile',
  nextRow: 'Nächste Zeile',
  openRow: 'Seite der Zeile öffnen',
  keyStep: 'weiter, zurück',
  keyBack: 'zur Liste',
  layout: 'Anordnung',
  layouts: { table: 'Liste', board: 'Board', calendar: 'Kalender' },
  groupBy: { table: 'Gruppieren nach', board: 'Spalten nach', calendar: 'Tage nach' },
  noGroup: 'nichts',
  views: 'Ansichten',
  allRows: 'Alle',
  viewChanged: 'Sie zeigt anderes, als gespeichert ist',
  saveView: 'Als Ansicht speichern',
  changeView: 'Diese Ansicht ändern',
  viewName: 'Name der Ansicht',
  viewHint: 'Sie behält Filter, Suche, Reihenfolge, Spalten und Anordnung.',
  viewShared: 'Alle sehen sie',
  move: (title) => `${title} verschieben`,
  moving: (title, target) => `${title} nach ${target}`,
  noAction: (word) => `Keine Aktion führt zu „${word}“.`,
  drop: 'ablegen',
  moreRows: (count) => `${count} weitere`,
  earlier: 'Früherer Monat',
  later: 'Späterer Monat',
  thisMonth: 'Heute',
  manyRows: (count) => `Die ersten ${count} dieses Monats stehen hier: Ein Filter zeigt die anderen.`,
  showAll: 'Alle Zeilen zeigen',
  keys: { next: 'J', previous: 'K', open: 'O' },
}
