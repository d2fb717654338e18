/** Of the lists of rows: the table, its filters, its views, its layouts. */
export const table = {
  empty: 'empty',
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
  previousRow: 'Previous row',
  nextRow: 'Next row',
  openRow: 'Open the page of the row',
  keyStep: 'next, previous',
  keyBack: 'back to the list',
  layout: 'Layout',
  layouts: { table: 'List', board: 'Board', calendar: 'Calendar' },
  groupBy: { table: 'Group by', board: 'Columns by', calendar: 'Days by' },
  noGroup: 'nothing',
  views: 'Views',
  allRows: 'All',
  viewChanged: 'It shows something else than it was saved with',
  saveView: 'Save as a view',
  changeView: 'Change this view',
  viewName: 'Name of the view',
  viewHint: 'It keeps filters, search, order, columns and layout.',
  viewShared: 'Everybody sees it',
  move: (title: string) => `Move ${title}`,
  moving: (title: string, target: string) => `${title} to ${target}`,
  drop: 'drop',
  moreRows: (count: number) => `${count} more`,
  earlier: 'Earlier month',
  later: 'Later month',
  thisMonth: 'Today',
  manyRows: (count: string) => `The first ${count} of this month are shown: a filter shows the others.`,
  showAll: 'Show all rows',
  /** As they are printed on keyboards. */
  keys: { next: 'J', previous: 'K', open: 'O' },
}
