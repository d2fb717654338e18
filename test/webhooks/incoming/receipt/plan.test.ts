/** A long log: every filter uses an index, and reads few other rows. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { firstIdAt } from '../../../../src/core/id.ts'
import type { Database } from '../../../../src/database/executor.ts'
import { receipts as readableReceipts } from '../../../../src/webhooks/incoming/receipt/readable.ts'
import { explainList } from '../../../support/database/explained-list.ts'
import { type DatabaseName, onEachDatabase } from '../../../support/databases.ts'
import { runsOf } from '../../../support/run/extent.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { receipts } from '../../../support/webhooks/provider.ts'

const length = runsOf(6_000, 20_000)
const beganMs = Date.now() - length * 1000

onEachDatabase(`The log of ${length} receipts`, (database) => {
  let service: TestService
  let tenant: TestTenant
  let opened: Database
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    opened = (await service.service.operator()).shared.catalogueDatabase
    await insertReceipts(opened, tenant.id)
  })
  after(() => service.stop())

  for (const [filter, index, count] of [
    [{ status: 'DEAD' }, 'status', 20],
    [{ provider: 'rare' }, 'provider', 10],
    [{ eventType: 'rare.thing' }, 'event_type', 5],
    [{ status: 'SUCCEEDED' }, 'status|pkey', 51],
  ] as const) {
    it(`is read by an index for ${JSON.stringify(filter)}`, async () => {
      const operator = await service.service.operator()
      const of = { database: opened, tenantId: tenant.id }
      const query = { limit: 51, ...filter }
      const { rows, plans } = await explainList(operator, of, readableReceipts.list, query)
      assert.equal(rows.length, count)
      const [{ text, rowsRead } = { text: '', rowsRead: 0 }] = plans
      assert.match(text, new RegExp(`\\bwebhook_receipt_(${index})\\b`), text)
      assert.doesNotMatch(text, /SCAN t\d|TEMP B-TREE|Seq Scan|PRIMARY KEY/, text)
      assert.ok(rowsRead <= 100, `${rowsRead} rows were read: ${text}`)
    })
  }

  it('is read by the ids of a period', async () => {
    const [since, until] = [100, 130].map((second) => new Date(beganMs + second * 1000).toISOString())
    const found = await receipts(tenant.user, `&since=${since}&until=${until}`)
    assert.deepEqual([found.length, found.at(-1)?.receivedAt], [30, since])
  })

  it('finds what several filters have in common', async () => {
    const asked = async (query: string) => (await receipts(tenant.user, query)).length
    assert.equal(await asked('&status=DEAD&provider=rare'), 10)
    assert.equal(await asked('&status=DEAD&provider=rare&eventType=rare.thing'), 5)
    assert.equal(await asked('&status=SUCCEEDED&provider=rare'), 0)
  })
})

/** One a second. The oldest twenty are dead, half of these of a rare provider, and every fourth of a rare type. */
async function insertReceipts(database: Database, tenantId: string): Promise<void> {
  const rows = Array.from({ length }, (_, index) => ({
    id: firstIdAt(new Date(beganMs + index * 1000)),
    key: `k${index}`,
    provider: index < 20 && index % 2 === 0 ? 'rare' : 'usual',
    type: index < 20 && index % 4 === 0 ? 'rare.thing' : 'usual.thing',
    status: index < 20 ? 'DEAD' : 'SUCCEEDED',
    at: new Date(beganMs + index * 1000).toISOString(),
  }))
  const { dialect } = database
  await database.transaction(async (transaction) => {
    await transaction.run(insert[dialect], [tenantId, JSON.stringify(rows)], false)
  })
  if (dialect === 'postgres') await database.executor.run('ANALYZE webhook_receipt', [], false)
}

const into = `INSERT INTO webhook_receipt (tenant_id, id, provider, event_key, event_type, status, received_at, hops, scheme,
  secret_place, headers, body)`

const insert: Record<DatabaseName, string> = {
  sqlite: `${into} SELECT ?, value ->> 'id', value ->> 'provider', value ->> 'key', value ->> 'type', value ->> 'status',
    value ->> 'at', 0, 'stripe', 0, '{}', x'7b7d' FROM json_each(?)`,
  postgres: `${into} SELECT $1, id, provider, key, type, status, at, 0, 'stripe', 0, '{}', '\\x7b7d' FROM json_to_recordset($2)
    AS given (id uuid, provider text, key text, type text, status text, at timestamptz)`,
}
