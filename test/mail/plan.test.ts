/** Many mails that were sent: those of one cause are found without reading them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Database } from '../../src/database/executor.ts'
import { mails } from '../../src/mail/readable.ts'
import { explainList } from '../support/database/explained-list.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'

const length = 5000

onEachDatabase(`Of ${length} mails`, (database) => {
  let service: TestService
  let tenant: TestTenant
  let opened: Database
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    opened = (await service.service.operator()).shared.catalogueDatabase
    await opened.transaction((transaction) => transaction.run(fill[database](tenant.id), [], false))
    if (database === 'postgres') await opened.executor.run('ANALYZE mail', [], false)
  })
  after(() => service.stop())

  for (const query of [
    { error: 'ECONNREFUSED' },
    { error: 'ECONNREFUSED', isRetriable: 'true' },
    { error: 'ECONNREFUSED', status: 'DEAD' },
  ]) {
    it(`few are read for ${JSON.stringify(query)}`, async () => {
      const operator = await service.service.operator()
      const of = { database: opened, tenantId: tenant.id }
      const { rows, plans } = await explainList(operator, of, mails.list, query)
      const [{ text, rowsRead } = { text: '', rowsRead: 0 }] = plans
      assert.equal(rows.length, 5)
      assert.match(text, /mail_error|mail_status|mail_unsent/, text)
      assert.ok(rowsRead <= 10, `${rowsRead} rows were read: ${text}`)
    })
  }
})

const columns =
  'id, tenant_id, template, recipient, recipient_key, content, is_limited, status, attempts, attempts_before, error, created_at'
/** Each thousandth was not sent. */
const values = (tenantId: string, id: string, content: string) =>
  `${id}, '${tenantId}', 'test.greet', 'a@acme.example', 'a@acme.example',
  CASE WHEN n % 1000 = 0 THEN ${content} END, false, CASE WHEN n % 1000 = 0 THEN 'DEAD' ELSE 'SENT' END, 1, 0,
  CASE WHEN n % 1000 = 0 THEN 'ECONNREFUSED' END, '2026-01-01T00:00:00.000Z'`

const fill = {
  sqlite: (tenantId: string) =>
    `INSERT INTO mail (${columns}) WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${length})
     SELECT ${values(tenantId, "printf('0198c6f0-3d5a-7c31-9a57-%012d', n)", "x'00'")} FROM s`,
  postgres: (tenantId: string) =>
    `INSERT INTO mail (${columns})
     SELECT ${values(tenantId, "('0198c6f0-3d5a-7c31-9a57-' || lpad(n::text, 12, '0'))::uuid", "'x'::bytea")}
     FROM generate_series(1, ${length}) AS s(n)`,
}
