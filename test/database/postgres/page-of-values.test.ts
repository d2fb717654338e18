/** A page under a rule of many values has the rows of the plain condition, and reads a bounded number of them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Placeholder } from '../../../src/database/compiled.ts'
import { prepare } from '../../../src/database/prepared.ts'
import { RowReach } from '../../../src/database/row-reach.ts'
import type { RowRules } from '../../../src/database/row-rule.ts'
import { type Ask, inspectEach } from '../../support/database/inspect.ts'
import { sharedService, type TestService } from '../../support/service.ts'

const rows = prepare((tables, p: { after: string; limit: number }) =>
  tables.selectFrom('event').select('id').where('id', '>', p.after).orderBy('id').limit(p.limit),
)

/** Of 5000 rows, each second has a value of `often`, and two of `seldom`; the last rows have the values of `late`. */
const idOf = (index: string) => `('00000000-0000-7000-8000-' || lpad(${index}, 12, '0'))::uuid`
const table = [
  'CREATE TEMP TABLE event (tenant_id text, id uuid, type text, PRIMARY KEY (tenant_id, id))',
  'CREATE INDEX event_by_type ON event (tenant_id, type, id)',
  `INSERT INTO event SELECT 'acme', ${idOf('i::text')}, CASE WHEN i > 4900 THEN 'late ' || i % 9
   WHEN i % 2000 = 0 THEN 'seldom ' || i % 3 WHEN i % 2 = 0 THEN 'often ' || i % 32 ELSE 'none' END
   FROM generate_series(1, 5000) AS n (i)`,
  `INSERT INTO event SELECT 'other', id, type FROM event`,
  'ANALYZE event',
  'SET enable_seqscan = off',
]
const named = (word: string, count = 32) =>
  Array.from({ length: count }, (_each, index) => `${word} ${index}`)
const start = '00000000-0000-0000-0000-000000000000'
const late = '00000000-0000-7000-8000-000000004950'

describe('A page under a rule of many values on postgres', () => {
  let service: TestService
  before(async () => {
    service = await sharedService('postgres')
  })
  after(() => service.stop())

  for (const [what, values, place, limit] of [
    ['many rows', named('often'), start, 51],
    ['few rows', named('seldom'), start, 51],
    ['rows at the end', named('late'), start, 51],
    ['rows after a place', [...named('late', 9), 'often 2'], late, 20],
    ['values that come twice', ['late 1', 'late 1', 'seldom 1'], start, 51],
    ['one row', named('often'), start, 1],
    ['rows among the first', named('often'), start, 20],
    ['one row in eight', named('often', 8), start, 51],
    ['more values than are read apart', named('late', 33), start, 51],
  ] as const)
    it(`has the rows of the condition: ${what}`, () =>
      inspectEach(service.config.databaseUrl, async (ask) => {
        for (const statement of table) await ask(statement)
        const list = values.map((value) => `'${value}'`).join()
        const plain = `SELECT id FROM event WHERE tenant_id = 'acme' AND type IN (${list}) AND id > '${place}' ORDER BY id LIMIT ${limit}`
        const expected = await ask(plain)
        assert.ok(expected.length > 0)
        const { texts, plan } = await pageOf(ask, { values, place, limit })
        assert.deepEqual(texts, expected)
        if (values.length > 32) return
        const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, count]) => Number(count))
        assert.ok(Math.max(0, ...removed) <= 5 * limit, plan)
      }))
})

interface Page {
  values: readonly string[]
  place: string
  limit: number
}

async function pageOf(ask: Ask, { values, place, limit }: Page) {
  const read = { kind: 'value', column: 'type', type: 'text', of: () => values } as const
  const rules: RowRules = new Map([['event', { all: 'event:all', operations: { read } }]])
  const nobody = { id: null, actorId: null, customer: null, attribute: () => [], may: () => false }
  const reach = new RowReach(rules, nobody)
  const { sql, parameters } = rows.ruled('postgres', reach)
  const texts: Record<string, string> = { tenant: "'acme'", after: `'${place}'`, limit: `${limit}` }
  const given = parameters.map((value) => {
    const name = value instanceof Placeholder ? value.name : ''
    return texts[name] ?? `'${reach.value(name, 'postgres')}'`
  })
  await ask(`PREPARE page AS ${sql}`)
  const run = `EXECUTE page (${given.join()})`
  const explained = await ask(`EXPLAIN (ANALYZE) ${run}`)
  return { texts: await ask(run), plan: explained.map((row) => String(row['QUERY PLAN'])).join('\n') }
}
