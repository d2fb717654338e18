/** Changes of tables, indexes and foreign keys. */
import { both, type Case, note, notes, page, pages } from './change-case.ts'
import { column, idOf, optional, row, table } from './tables.ts'

export const tableCases: Record<string, Case> = {
  'a table more': {
    from: [note],
    to: [note, page],
    rows: { note: notes },
    become: { note: notes, page: [] },
  },
  'a table less': {
    from: [note, page],
    to: [note],
    decisions: ['--drop', 'page'],
    rows: both,
    become: { note: notes },
  },
  'a table less to which others referred': {
    from: [note, page],
    to: [table('page', page.columns.slice(1, -1), { indexes: page.indexes })],
    decisions: ['--drop', 'note'],
    rows: both,
    become: { page: pages },
  },
  'a renamed table to which others refer': {
    from: [note, page],
    to: [
      { ...note, name: 'memo' },
      { ...page, foreignKeys: [{ column: 'note_id', table: 'memo', cascades: true }] },
    ],
    decisions: ['--rename', 'note=memo'],
    rows: both,
    become: { memo: notes, page: pages },
  },
  'a renamed table with all names in it': {
    from: [note, page],
    to: [
      note,
      table('sheet', [column('memo_id', 'id'), column('text', 'key')], {
        indexes: [{ columns: ['memo_id'], isUnique: false }],
        foreignKeys: [{ column: 'memo_id', table: 'note', cascades: true }],
      }),
    ],
    decisions: ['--rename', 'page=sheet', '--rename', 'page.note_id=sheet.memo_id'],
    rows: both,
    become: { note: notes, sheet: pages.map(({ note_id: memo_id, ...rest }) => ({ ...rest, memo_id })) },
  },
  'indexes more and less': {
    from: [
      table('note', [column('title', 'key'), optional('size', 'integer')], {
        indexes: [
          { columns: ['title'], isUnique: true },
          { columns: ['title', 'id'], isUnique: false },
        ],
      }),
    ],
    to: [
      table('note', [column('title', 'key'), optional('size', 'integer')], {
        indexes: [
          { columns: ['size'], isUnique: false, isPartial: true },
          { columns: ['title', 'size'], isUnique: true },
        ],
      }),
    ],
    rows: { note: notes },
    become: { note: notes },
  },
  'foreign keys more and less': {
    from: [
      note,
      table('page', [column('note_id', 'id'), optional('next_id', 'id')], {
        foreignKeys: [{ column: 'note_id', table: 'note' }],
      }),
    ],
    to: [
      note,
      table('page', [column('note_id', 'id'), optional('next_id', 'id')], {
        foreignKeys: [
          { column: 'next_id', table: 'page' },
          { column: 'note_id', table: 'note', cascades: true },
        ],
      }),
    ],
    rows: {
      note: notes,
      page: [
        { ...row(11), note_id: idOf(1), next_id: null },
        { ...row(12), note_id: idOf(1), next_id: idOf(11) },
      ],
    },
    become: {
      page: [
        { ...row(11), note_id: idOf(1), next_id: null },
        { ...row(12), note_id: idOf(1), next_id: idOf(11) },
      ],
    },
  },
  'tables more that refer to each other': {
    from: [],
    to: [
      table('hen', [column('egg_id', 'id')], { foreignKeys: [{ column: 'egg_id', table: 'egg' }] }),
      table('egg', [column('hen_id', 'id')], { foreignKeys: [{ column: 'hen_id', table: 'hen' }] }),
    ],
    rows: {},
    become: { hen: [], egg: [] },
  },
  'names that are words of SQL, and long ones that begin alike': {
    from: [table('order', [column('group', 'key', { values: ['select'] })])],
    to: [
      table('order', [
        column('group', 'key', { values: ['select', 'from'] }),
        optional('table', 'integer', { max: 4 }),
      ]),
      table(
        'a'.repeat(60),
        [column('first', 'integer', { min: 1 }), column('second', 'integer', { min: 1 })],
        {
          indexes: ['first', 'second'].map((name) => ({ columns: [name], isUnique: false })),
        },
      ),
    ],
    rows: { order: [{ ...row(1), group: 'select' }] },
    become: { order: [{ ...row(1), group: 'select', table: null }] },
  },
}
