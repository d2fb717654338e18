/** Changes of columns. */
import { both, type Case, note, notes, page, pages } from './change-case.ts'
import { column, idOf, optional, row, table } from './tables.ts'

const search = { columns: ['search_title'], isUnique: false, isSearch: true }

export const columnCases: Record<string, Case> = {
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
  'a text without regard to case more, which may be null': {
    from: [note],
    to: [
      table(
        'note',
        [
          ...note.columns.slice(1, -1),
          optional('tag', 'text'),
          optional('search_tag', 'key', { folds: 'tag' }),
        ],
        {
          indexes: [
            { columns: ['search_tag'], isUnique: true, isPartial: true },
            { columns: ['search_tag'], isUnique: false, isSearch: true },
          ],
        },
      ),
    ],
    rows: { note: notes },
    become: { note: notes.map((each) => ({ ...each, tag: null, search_tag: null })) },
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
}
