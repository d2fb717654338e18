/** Of the lists of rows: the table, its filters, its views, its layouts. */
export const table = {
  empty: 'empty',
  undo: 'Undo',
  range: (first: number, last: string, total: string) => `${first}–${last} of ${total}`,
  countOf: (count: string, total: string) => `${count} of ${total}`,
  peek: (title: string) => `Look at ${title}`,
  columnsHint:
    'Drag a heading to move its column, and its edge for the width. With the keyboard: Alt with ← → for the width, Shift and Alt to move.',
  changed: (field: string, title: string) => `${field} of ${title} is changed`,
  conflict: (value: string) =>
    `Somebody has set it to “${value}” meanwhile. Enter saves yours, Escape keeps theirs.`,
  without: (field: string) => `No ${field.toLowerCase()}`,
  filter: 'Filter',
  gone: 'This field is gone: the filter does nothing.',
  daysFromNow: (days: number) => {
    if (days === 0) return 'today'
    const count = Math.abs(days) === 1 ? 'a day' : `${Math.abs(days)} days`
    return days < 0 ? `${count} ago` : `in ${count}`
  },
  chooseMatching: (count: string) => `Choose all ${count} that match`,
  countLabels: (count: string, labels: string) => `${count} ${labels}`,
  letGo: 'Let go',
  changeField: 'Change a field',
  change: 'Change',
  importWay: 'CSV or JSON. You see first how each column is read.',
}
