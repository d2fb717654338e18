/** Each change does the least that its database needs, and `migrate diff` says what that is. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareTables } from '../../../src/database/schema/compare.ts'
import { costOf, describeCosts } from '../../../src/database/schema/cost.ts'
import { postgresStatements } from '../../../src/database/schema/postgres-statements.ts'
import { sqliteStatements } from '../../../src/database/schema/sqlite-statements.ts'
import type { Table } from '../../../src/database/table.ts'
import { note, page } from './change-case.ts'
import { decide } from './project.ts'
import { column, optional, table } from './tables.ts'

const withColumns = (columns: Parameters<typeof table>[1], parts: Parameters<typeof table>[2] = {}) => [
  table('note', [...note.columns.slice(1, -1), ...columns], parts),
]
const tag = [optional('tag', 'text'), optional('search_tag', 'key', { folds: 'tag' })]

/** The dearest statement on each database. */
const changes: [
  title: string,
  to: readonly Table[],
  sqlite: string,
  postgres: string,
  decisions?: string[],
][] = [
  ['an optional column', withColumns([optional('on', 'date')]), 'instant', 'instant'],
  ['an optional text without regard to case', withColumns(tag), 'instant', 'instant'],
  [
    'the same, unique and searched',
    withColumns(tag, {
      indexes: [
        { columns: ['search_tag'], isUnique: true, isPartial: true },
        { columns: ['search_tag'], isUnique: false, isSearch: true },
      ],
    }),
    ...(['read', 'read'] as const),
  ],
  [
    'a required column with a value',
    withColumns([column('level', 'key', { initial: 'low' })]),
    ...(['copy', 'instant'] as const),
  ],
  [
    'a text without regard to case with a value',
    withColumns([column('tag', 'text', { initial: 'A' }), column('search_tag', 'key', { folds: 'tag' })]),
    ...(['copy', 'rewrite'] as const),
  ],
  ['a dropped column', [table('note', [column('title', 'key')])], 'copy', 'instant', ['--drop', 'note.size']],
  [
    'a wider kind',
    [table('note', [column('title', 'key'), optional('size', 'price')])],
    ...(['copy', 'rewrite'] as const),
  ],
  ['a table', [note, page], 'instant', 'instant'],
]

const order = ['instant', 'read', 'copy', 'rewrite']

describe('What a migration that is written costs', () => {
  for (const [title, to, sqlite, postgres, decisions = []] of changes)
    it(`is for ${title}: ${sqlite} on SQLite, ${postgres} on PostgreSQL`, () => {
      const { change } = compareTables([note], to, decide(...decisions))
      const created = new Set(change.created.map(({ name }) => name))
      const dearest = (statements: readonly string[], dialect: 'sqlite' | 'postgres') =>
        order[Math.max(...statements.map((each) => order.indexOf(costOf(each, dialect, created))))]
      assert.equal(dearest(sqliteStatements(change), 'sqlite'), sqlite)
      assert.equal(dearest(postgresStatements(change), 'postgres'), postgres)
    })

  it('has a line for each statement', () => {
    const { change } = compareTables([note], withColumns(tag))
    const statements = { sqlite: sqliteStatements(change), postgres: postgresStatements(change) }
    assert.deepEqual(describeCosts(change, statements), [
      'On SQLite:',
      '  instant  ALTER TABLE "note" ADD COLUMN "tag" TEXT',
      '  instant  ALTER TABLE "note" ADD COLUMN "search_tag" TEXT',
      'On PostgreSQL:',
      '  instant  ALTER TABLE "note" ADD COLUMN "tag" text',
      '  instant  ALTER TABLE "note" ADD COLUMN "search_tag" text COLLATE "C"',
    ])
  })
})
