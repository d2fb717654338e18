/** Each kind of change, with rows in the tables: the tables become what a fresh creation makes, and keep their values. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Database, Row } from '../../src/database/executor.ts'
import type { Table } from '../../src/database/table.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { catalogOf } from './catalog.ts'
import { decide, EmptyDatabases, insert, Project, rowsOf } from './project.ts'
import { column, idOf, optional, row, table } from './tables.ts'

interface Case {
  from: readonly Table[]
  to: readonly Table[]
  decisions?: readonly string[]
  /** By table. */
  rows: Record<string, readonly Row[]>
  /** By table; members that are not named are as they were. */
  become: Record<string, readonly Row[]>
}

const note = table('note', [column('title', 'key'), optional('size', 'integer')])
const notes = [
  { ...row(1), title: "Ann's", size: 3 },
  { ...row(2, 'other'), title: 'ß Σς', size: null },
]
const page = table('page', [column('note_id', 'id'), column('text', 'key')], {
  indexes: [{ columns: ['note_id'], isUnique: false }],
  foreignKeys: [{ column: 'note_id', table: 'note', cascades: true }],
})
const pages = [
  { ...row(11), note_id: idOf(1), text: 'One' },
  { ...row(12, 'other'), note_id: idOf(2), text: 'Two' },
]
const search = { columns: ['search_title'], isUnique: false, isSearch: true }
const both = { note: notes, page: pages }

const cases: Record<string, Case> = {
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
  'a column more, which may be null': {
    from: [note],
    to: [
      table('note', [
        ...note.columns.slice(1, -1),
        optional('on', 'date'),
        optional('level', 'key', { values: ['low'] }),
      ]),
    ],
    rows: { note: notes },
    become: { note: notes.map((each) => ({ ...each, on: null, level: null })) },
  },
  'columns more with the default of their field': {
    from: [note, page],
    to: [
      table('note', [
        ...note.columns.slice(1, -1),
        column('level', 'key', { values: ['low', "it's"], initial: "it's" }),
        column('open', 'boolean', { initial: true }),
        column('price', 'price', { min: 0, max: 99.5, initial: 19.99 }),
      ]),
      page,
    ],
    rows: both,
    become: {
      note: notes.map((each) => ({ ...each, level: "it's", open: true, price: 19.99 })),
      page: pages,
    },
  },
  'columns more with a given value': {
    from: [note],
    to: [
      table('note', [
        ...note.columns.slice(1, -1),
        column('due', 'timestamp'),
        optional('on', 'date'),
        column('tags', 'json'),
      ]),
    ],
    decisions: [
      '--fill',
      'note.due=2026-02-01T00:00:00Z',
      '--fill',
      'note.on=2026-02-01',
      '--fill',
      'note.tags=["a;b"]',
    ],
    rows: { note: notes },
    become: {
      note: notes.map((each) => ({
        ...each,
        due: '2026-02-01T00:00:00.000Z',
        on: '2026-02-01',
        tags: '["a;b"]',
      })),
    },
  },
  'a column less': {
    from: [note, page],
    to: [table('note', [column('title', 'key')]), page],
    decisions: ['--drop', 'note.size'],
    rows: both,
    become: { note: notes.map(({ size: _size, ...rest }) => rest), page: pages },
  },
  'a renamed column with a check and an index': {
    from: [
      table('note', [column('level', 'key', { values: ['low', 'high'] })], {
        indexes: [{ columns: ['level', 'id'], isUnique: false }],
      }),
    ],
    to: [
      table('note', [column('order', 'key', { values: ['low', 'high'] })], {
        indexes: [{ columns: ['order', 'id'], isUnique: false }],
      }),
    ],
    decisions: ['--rename', 'note.level=note.order'],
    rows: { note: [{ ...row(1), level: 'low' }] },
    become: { note: [{ ...row(1), order: 'low' }] },
  },
  'a column that need not have a value any more': {
    from: [note, page],
    to: [table('note', [optional('title', 'key'), optional('size', 'integer')]), page],
    rows: both,
    become: both,
  },
  'a column that must have a value from now on': {
    from: [note, page],
    to: [table('note', [column('title', 'key'), column('size', 'integer')]), page],
    decisions: ['--fill', 'note.size=7'],
    rows: both,
    become: { note: notes.map((each) => ({ ...each, size: each.size ?? 7 })), page: pages },
  },
  'other bounds and other words': {
    from: [
      table('note', [
        column('size', 'integer', { min: 1 }),
        column('level', 'key', { values: ['low'] }),
        column('free', 'price', { max: 5 }),
      ]),
    ],
    to: [
      table('note', [
        column('size', 'integer', { min: 0, max: 9 }),
        column('level', 'key', { values: ['low', 'high'] }),
        column('free', 'price'),
      ]),
    ],
    rows: { note: [{ ...row(1), size: 9, level: 'low', free: 1.25 }] },
    become: { note: [{ ...row(1), size: 9, level: 'low', free: 1.25 }] },
  },
  'wider kinds': {
    from: [
      table('note', [
        column('a', 'integer', { min: 0 }),
        column('b', 'integer'),
        column('c', 'date'),
        column('d', 'id'),
        column('e', 'key'),
        column('f', 'json'),
      ]),
    ],
    to: [
      table('note', [
        column('a', 'price', { min: 0 }),
        column('b', 'key'),
        column('c', 'text'),
        column('d', 'key'),
        column('e', 'text'),
        column('f', 'key'),
      ]),
    ],
    rows: { note: [{ ...row(1), a: 5, b: -12, c: '2026-02-03', d: idOf(9), e: 'é', f: '[1]' }] },
    become: { note: [{ ...row(1), a: 5, b: '-12', c: '2026-02-03', d: idOf(9), e: 'é', f: '[1]' }] },
  },
  'a kind that cannot keep the values': {
    from: [note],
    to: [table('note', [column('title', 'integer', { initial: 0 }), optional('size', 'integer')])],
    decisions: ['--drop', 'note.title'],
    rows: { note: notes },
    become: { note: notes.map((each) => ({ ...each, title: 0 })) },
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
  'a search in existing text': {
    from: [note],
    to: [
      table('note', [...note.columns.slice(1, -1), column('search_title', 'text', { folds: 'title' })], {
        indexes: [search],
      }),
    ],
    rows: { note: notes },
    become: {
      note: [
        { ...notes[0], search_title: "ann's" },
        { ...notes[1], search_title: 'ss σσ' },
      ],
    },
  },
  'a search whose text is renamed, and must have a value from now on': {
    from: [
      table('note', [optional('title', 'key'), optional('search_title', 'text', { folds: 'title' })], {
        indexes: [search],
      }),
    ],
    to: [
      table('note', [column('name', 'key'), column('search_name', 'text', { folds: 'name' })], {
        indexes: [{ ...search, columns: ['search_name'] }],
      }),
    ],
    decisions: ['--rename', 'note.title=note.name', '--fill', 'note.name=Unknown'],
    rows: {
      note: [
        { ...row(1), title: 'A', search_title: 'a' },
        { ...row(2), title: null, search_title: null },
      ],
    },
    become: {
      note: [
        { ...row(1), name: 'A', search_name: 'a' },
        { ...row(2), name: 'Unknown', search_name: 'unknown' },
      ],
    },
  },
  'a search no longer': {
    from: [
      table('note', [column('title', 'key'), column('search_title', 'text', { folds: 'title' })], {
        indexes: [search],
      }),
    ],
    to: [table('note', [column('title', 'key')])],
    rows: { note: [{ ...row(1), title: 'A', search_title: 'a' }] },
    become: { note: [{ ...row(1), title: 'A' }] },
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

onEachDatabase('A migration that is written', (name) => {
  let databases: EmptyDatabases
  before(async () => {
    databases = await EmptyDatabases.on(name)
  })
  after(() => databases.close())

  for (const [title, { from, to, decisions = [], rows, become }] of Object.entries(cases)) {
    it(`makes ${title}`, async () => {
      using project = new Project()
      const database = await databases.next()
      project.write(from)
      await project.apply(database)
      for (const [of, some] of Object.entries(rows)) await insert(database, of, some)
      project.write(to, decide(...decisions))
      assert.equal((await project.apply(database)).length, 1)
      for (const [of, some] of Object.entries(become))
        assert.deepEqual(await stored(database, to, of), sorted(some))
      const changed = await catalogOf(
        database,
        to.map((each) => each.name),
      )
      assert.deepEqual(changed, await freshCatalog(databases, to))
    })
  }
})

async function freshCatalog(databases: EmptyDatabases, tables: readonly Table[]) {
  using project = new Project()
  const database = await databases.next()
  project.write(tables)
  await project.apply(database)
  return catalogOf(
    database,
    tables.map(({ name }) => name),
  )
}

async function stored(database: Database, tables: readonly Table[], name: string): Promise<Row[]> {
  const found = tables.find((each) => each.name === name)
  assert.ok(found)
  return rowsOf(database, found)
}

function sorted(rows: readonly Row[]): Row[] {
  return rows.map((each) =>
    Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
}
