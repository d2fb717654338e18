/** A page under a rule of many values is planned for these values: one plan for any would walk the table for few rows. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Placeholder } from '../../../src/database/compiled.ts'
import { prepare } from '../../../src/database/prepared.ts'
import { RowReach } from '../../../src/database/row-reach.ts'
import type { RowRules } from '../../../src/database/row-rule.ts'
import { type Ask, inspectEach } from '../../support/database/inspect.ts'
import { sharedService, type TestService } from '../../support/service.ts'

const values = Array.from({ length: 32 }, (_each, index) => `value ${index}`)
const rules: RowRules = new Map([
  [
    'event',
    {
      all: 'event:all',
      operations: { read: { kind: 'value', column: 'type', type: 'text', of: () => values } },
    },
  ],
])
const nobody = { id: null, actorId: null, customer: null, attribute: () => [], may: () => false }
const reach = new RowReach(rules, nobody)

const rows = prepare((tables, p: { after: string; limit: number }) =>
  tables.selectFrom('event').select('id').where('id', '>', p.after).orderBy('id').limit(p.limit),
)

/** Two rows of 10 000 have values of the rule. */
const table = [
  'CREATE TEMP TABLE event (tenant_id text, id text, type text, PRIMARY KEY (tenant_id, id))',
  'CREATE INDEX event_by_type ON event (tenant_id, type, id)',
  `INSERT INTO event SELECT 'acme', lpad(i::text, 8, '0'), CASE WHEN i % 5000 = 0 THEN 'value ' || i / 5000 ELSE 'none' END
   FROM generate_series(1, 10000) AS n (i)`,
  'ANALYZE event',
  'SET enable_seqscan = off',
]
/** PostgreSQL compares a plan for any values with five for the values that came. */
const runs = 8

describe('A page under a rule of many values on postgres', () => {
  let service: TestService
  before(async () => {
    service = await sharedService('postgres')
  })
  after(() => service.stop())

  it('is planned for these, however often it is read', async () => {
    const { sql, parameters } = rows.ruled('postgres', reach)
    const texts: Record<string, string> = { tenant: "'acme'", after: "''", limit: '51' }
    const given = parameters.map((value) => {
      const name = value instanceof Placeholder ? value.name : ''
      return texts[name] ?? `'${reach.value(name, 'postgres')}'`
    })
    const plain = sql.replaceAll(/ and \(cast\(\$\d+ as text\[\]\) is not null or .*? < 0\)/g, '')
    assert.ok(plain.length < sql.length)
    await inspectEach(service.config.databaseUrl, async (ask) => {
      for (const statement of table) await ask(statement)
      assert.equal(await genericPlans(ask, 'page', sql, given), 0)
      const [tenant, list = '', , ...others] = given
      const renumbered = plain.replaceAll(/\$(\d+)/g, (_text, place) => `$${place > 2 ? place - 1 : place}`)
      assert.ok((await genericPlans(ask, 'plain', renumbered, [tenant ?? '', list, ...others])) > 0)
    })
  })
})

async function genericPlans(
  ask: Ask,
  name: string,
  sql: string,
  given: readonly string[],
): Promise<number> {
  await ask(`PREPARE ${name} AS ${sql}`)
  for (let run = 0; run < runs; run++) {
    const found = await ask(`EXECUTE ${name} (${given.join()})`)
    assert.equal(found.length, 2)
  }
  const [counted] = await ask(`SELECT generic_plans FROM pg_prepared_statements WHERE name = '${name}'`)
  return Number(counted?.['generic_plans'])
}
