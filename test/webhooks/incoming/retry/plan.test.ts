/** Many waiting runs: an index finds the due ones, tenant by tenant, and few other rows are read. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { QueueData, TenantData } from '../../../../src/database/data.ts'
import type { Database } from '../../../../src/database/executor.ts'
import { dueReceipts, dueRunsOf, scanTenants } from '../../../../src/webhooks/incoming/queue/sql.ts'
import { countRunsOfChain } from '../../../../src/webhooks/incoming/run/sql.ts'
import { explaining, type Plan } from '../../../support/database/plan.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { runsOf } from '../../../support/run/extent.ts'
import { startService, type TestService } from '../../../support/service.ts'

const length = runsOf(6_000, 20_000)
const now = '2999-01-02T00:00:00.000Z'
/** The service of the test lets them wait. */
const dueAt = '2999-01-01T00:00:00.000Z'
const busy = 'busy'
const receiptId = '0198c6f0-3d5a-7c31-9a57-000000000007'

onEachDatabase(`Of ${length} runs that wait`, (database) => {
  let service: TestService
  let opened: Database
  const plans: Plan[] = []
  before(async () => {
    service = await startService(database)
    opened = (await service.service.operator()).shared.catalogueDatabase
    await opened.transaction(async (transaction) => {
      await transaction.run(fill[database], [], false)
      await transaction.run(few, [], false)
    })
    if (database === 'postgres') await opened.executor.run('ANALYZE webhook_run', [], false)
  })
  after(() => service.stop())

  const executor = () => {
    plans.length = 0
    return explaining(opened.executor, plans)
  }

  function isBounded(index: RegExp): void {
    const [{ text, rowsRead } = { text: '', rowsRead: 0 }] = plans
    assert.match(text, index, text)
    assert.doesNotMatch(text, /SCAN webhook_run|TEMP B-TREE|Seq Scan on webhook_run/, text)
    assert.ok(rowsRead <= 250, `${rowsRead} rows were read: ${text}`)
  }

  it('the tenants are found from one to the next', async () => {
    const found = await scanTenants(new QueueData(executor()))
    assert.deepEqual(
      [...found],
      [
        [busy, Date.parse(dueAt)],
        ['few', Date.parse(dueAt)],
      ],
    )
    isBounded(/webhook_run_waiting/)
  })

  it('some of one tenant are found', async () => {
    assert.equal((await dueReceipts(new TenantData(busy, executor()), now, 200)).length, 2)
    isBounded(/webhook_run_waiting/)
    assert.deepEqual(await dueReceipts(new TenantData(busy, executor()), '2026-01-01T00:00:00.000Z', 50), [])
    isBounded(/webhook_run_waiting/)
  })

  it('some of one receipt are found', async () => {
    const due = await dueRunsOf(new TenantData(busy, executor()), receiptId, { now, limit: 10 })
    assert.equal(due.length, 10)
    const [{ rowsRead } = { rowsRead: 0 }] = plans
    assert.ok(rowsRead <= 250, `${rowsRead} rows were read`)
  })

  it('those of one origin are counted', async () => {
    assert.equal(await countRunsOfChain(new TenantData(busy, executor()), 'evt_7'), 100)
    isBounded(/webhook_run_origin/)
  })
})

/** A hundred for each receipt. */
const columns = 'tenant_id, receipt_id, id, rule_id, action, status, attempts, next_at, created_at, origin'
const fill = {
  sqlite: `INSERT INTO webhook_run (${columns})
    WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ${length - 1})
    SELECT '${busy}', printf('0198c6f0-3d5a-7c31-9a57-%012x', n / 100), printf('0198c6f0-3d5a-7c31-9a58-%012x', n),
      printf('0198c6f0-3d5a-7c31-9a59-%012x', n % 100), 'none', 'PENDING', 0, '${dueAt}', '${dueAt}', 'evt_' || (n / 100)
    FROM number`,
  postgres: `INSERT INTO webhook_run (${columns})
    SELECT '${busy}', cast('0198c6f0-3d5a-7c31-9a57-' || lpad(to_hex(n / 100), 12, '0') AS uuid),
      cast('0198c6f0-3d5a-7c31-9a58-' || lpad(to_hex(n), 12, '0') AS uuid),
      cast('0198c6f0-3d5a-7c31-9a59-' || lpad(to_hex(n % 100), 12, '0') AS uuid),
      'none', 'PENDING', 0, '${dueAt}', '${dueAt}', 'evt_' || (n / 100)
    FROM generate_series(0, ${length - 1}) AS number (n)`,
}

const few = `INSERT INTO webhook_run (${columns})
  SELECT 'few', receipt_id, id, rule_id, action, status, attempts, next_at, created_at, NULL
  FROM webhook_run WHERE receipt_id = '${receiptId}' LIMIT 3`
