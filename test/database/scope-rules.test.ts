/** The rules of rows in the text of statements: each table has its rule once, however deep its query is embedded. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Dialect } from '../../src/database/executor.ts'
import { prepare } from '../../src/database/prepared.ts'
import { RowReach } from '../../src/database/row-reach.ts'
import type { RowRules, RuleCaller } from '../../src/database/row-rule.ts'

const rules: RowRules = new Map([
  [
    'event',
    {
      all: 'event:all',
      operations: { read: { kind: 'value', column: 'type', type: 'text', of: () => ['north', 'south'] } },
    },
  ],
])
const caller: RuleCaller = {
  id: null,
  actorId: null,
  customer: null,
  attribute: () => [],
  may: () => false,
}
const some = new RowReach(rules, caller)
const all = new RowReach(rules, { ...caller, may: (permission) => permission === 'event:all' })

const whole = prepare((tables, p: { after: string }) =>
  tables.selectFrom('event').select('id').where('id', '>', p.after).orderBy('id').limit(3),
)
const embedded = prepare((tables, p: { after: string }) => {
  const rows = tables.selectFrom('event').select('id').where('id', '>', p.after).orderBy('id').limit(3)
  return tables.selectFrom(tables.selectFrom(rows.as('inner')).select('id').as('outer')).select('id')
})
const oneEmbedded = prepare((tables, p: { id: string }) => {
  const row = tables.selectFrom('event').select('id').where('id', '=', p.id)
  return tables.selectFrom(row.as('inner')).select('id')
})
const named = prepare((tables, p: { id: string }) =>
  tables
    .selectFrom('delivery')
    .select('id')
    .where('event_id', 'in', tables.selectFrom('event').select('id').where('id', '=', p.id)),
)

const dialects: Dialect[] = ['sqlite', 'postgres']

for (const dialect of dialects)
  describe(`The rule of a table on ${dialect}`, () => {
    const ruleIn = (sql: string) => sql.split('"event"."type"').length - 1
    const tenantsIn = (sql: string) => sql.split('"event"."tenant_id"').length - 1

    it('stands once in each query on the table', () => {
      for (const query of [whole, embedded, oneEmbedded, named]) {
        const { sql } = query.ruled(dialect, some)
        assert.equal(ruleIn(sql), 1, sql)
        assert.equal(tenantsIn(sql), 1, sql)
      }
    })

    it('is not in the statements of those who reach every row', () => {
      for (const query of [whole, embedded, oneEmbedded, named])
        assert.equal(query.ruled(dialect, all).sql, query.compiled(dialect).sql)
    })

    it('is added to a query that names another value', () => {
      const own = prepare((tables, p: { type: string }) => {
        const rows = tables.selectFrom('event').select('id').where('type', '=', p.type)
        return tables.selectFrom(rows.as('inner')).select('id')
      })
      const { sql } = own.ruled(dialect, some)
      assert.equal(ruleIn(sql), 1, sql)
      assert.match(sql, /"event"\."type".* and \("type" = /)
    })

    it('reads a page by its values only where the page has the first rows of the query', () => {
      const page = prepare((tables, p: { after: string }) => {
        const rows = tables.selectFrom('event').select('id').where('id', '>', p.after)
        return rows.orderBy('id').limit(3)
      })
      const isByValues = (query: typeof page) => query.ruled(dialect, some).sql.includes('unnest')
      assert.equal(isByValues(page), dialect === 'postgres')
      for (const other of [
        prepare((tables, p: { after: string }) => {
          const rows = tables.selectFrom('event').select('id').where('id', '>', p.after)
          const gone = tables.selectFrom('delivery').select('event_id as id')
          return rows.except(gone).orderBy('id').limit(3)
        }),
        prepare((tables, p: { after: string }) => {
          const rows = tables.selectFrom('event').select('id').where('id', '>', p.after)
          return rows.orderBy('id').limit(3).forUpdate().skipLocked()
        }),
        prepare((tables, _p: { after: string }) => {
          const rows = tables.selectFrom('event').select('id').whereRef('id', '>', 'type')
          return rows.orderBy('id').limit(3)
        }),
      ])
        assert.equal(isByValues(other), false)
    })
  })
