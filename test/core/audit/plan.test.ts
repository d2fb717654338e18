/** A long audit log: every filter uses an index, and reads few other rows. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { countAudit } from '../../../src/core/audit/count.ts'
import { type AuditFilter, auditPage, insertAudit, tenantAuditPage } from '../../../src/core/audit/sql.ts'
import { firstIdAt } from '../../../src/core/id.ts'
import { CatalogueData, InstallationData, TenantData } from '../../../src/database/data.ts'
import type { Database } from '../../../src/database/executor.ts'
import { explaining, type Plan } from '../../support/database/plan.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

const length = 5000
const [usualActor, rareActor] = [
  '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
  '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c12',
] as const

onEachDatabase(`The audit of ${length} entries`, (database) => {
  let service: TestService
  let tenant: TestTenant
  let opened: Database
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    opened = (await service.service.operator()).shared.catalogueDatabase
    await insertEntries(opened, tenant.id)
  })
  after(() => service.stop())

  const listed = async (filter: AuditFilter) => {
    const plans: Plan[] = []
    const executor = explaining(opened.executor, plans)
    const page = { filter, before: null, limit: 51 }
    const rows = await auditPage(new CatalogueData(tenant.id, executor), page)
    const own = await tenantAuditPage(new TenantData(tenant.id, executor), page)
    return { rows, own, plans }
  }

  const indexes: [AuditFilter, string, number][] = [
    [{ action: 'rare.done' }, 'action', 10],
    [{ action: 'usual.done' }, 'action|pkey', 51],
    [{ actorId: rareActor }, 'actor', 20],
    [{ actorId: rareActor.toUpperCase() }, 'actor', 20],
    [{ actorId: rareActor, action: 'rare.done' }, 'actor_action', 10],
    [{ actorId: rareActor, action: 'usual.done' }, 'actor_action', 10],
    [{ subjectId: 's3' }, 'subject', 1],
    [{ subjectId: 's3', action: 'usual.done' }, 'subject', 1],
    [{ subjectId: 's3', actorId: usualActor }, 'subject', 0],
    [{ subjectId: 's3', actorId: rareActor, action: 'usual.done' }, 'subject|actor_action', 1],
  ]
  for (const [filter, index, count] of indexes) {
    it(`is read by an index for ${JSON.stringify(filter)}`, async () => {
      const { rows, own, plans } = await listed(filter)
      assert.deepEqual([rows.length, own.length], [count, count])
      for (const [place, table] of ['audit', 'tenant_audit'].entries()) {
        const { text, rowsRead } = plans[place] ?? { text: '', rowsRead: 0 }
        assert.match(text, new RegExp(`\\b${table}_(all_)?(${index})\\b`), text)
        assert.doesNotMatch(text, /SCAN|TEMP B-TREE|Seq Scan/, text)
        assert.ok(rowsRead <= 100, `${rowsRead} rows were read: ${text}`)
      }
    })
  }

  for (const filter of [{ action: 'rare.done' }, { actorId: rareActor }, { subjectId: 's3' }]) {
    it(`is counted by an index for ${JSON.stringify(filter)}`, async () => {
      const plans: Plan[] = []
      const rows = new TenantData(tenant.id, explaining(opened.executor, plans))
      const operator = await service.service.operator()
      const count = await countAudit(operator, { catalogue: rows, data: rows }, filter)
      const { rows: found, own } = await listed(filter)
      assert.equal(count, found.length + own.length)
      for (const { text, rowsRead } of plans) {
        assert.match(text, /audit_(all_)?(action|actor|subject|actor_action)\b/, text)
        assert.ok(rowsRead <= 100, `${rowsRead} rows were read: ${text}`)
      }
      assert.equal(plans.length, 2)
    })
  }

  const ofAll: [AuditFilter, string, number][] = [
    [{}, 'audit_(1|pkey)', 51],
    [{ action: 'rare.done' }, 'audit_all_action', 10],
    [{ actorId: rareActor }, 'audit_all_actor', 20],
    [{ subjectId: 's3' }, 'audit_all_subject', 1],
  ]
  for (const [filter, index, count] of ofAll) {
    it(`is read by an index for ${JSON.stringify(filter)} of all tenants`, async () => {
      const plans: Plan[] = []
      const everywhere = new InstallationData(explaining(opened.executor, plans))
      const rows = await auditPage(everywhere, { filter, before: null, limit: 51 })
      assert.equal(rows.length, count)
      const [{ text, rowsRead } = { text: '', rowsRead: 0 }] = plans
      assert.match(text, new RegExp(`\\b(sqlite_autoindex_)?${index}\\b`), text)
      assert.doesNotMatch(text, /TEMP B-TREE|Seq Scan/, text)
      assert.ok(rowsRead <= 100, `${rowsRead} rows were read: ${text}`)
    })
  }
})

/** The oldest twenty are of a rare actor, and every other one of these of a rare action. */
async function insertEntries(database: Database, tenantId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const [copies, moment] =
      database.dialect === 'sqlite'
        ? [
            `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${length}) SELECT i FROM n)`,
            "substr(a.id, 1, 24) || printf('%012x', n.i)",
          ]
        : [
            `(SELECT i FROM generate_series(1, ${length}) AS s(i))`,
            "CAST(substr(CAST(a.id AS text), 1, 24) || lpad(to_hex(n.i), 12, '0') AS uuid)",
          ]
    const id = firstIdAt(new Date(Date.now() - 1_000_000))
    await insertAudit(new CatalogueData(tenantId, transaction), {
      id,
      actor_id: usualActor,
      impersonator_id: null,
      impersonator_name: null,
      actor_name: 'ada',
      action: 'usual.done',
      subject_type: 'user',
      subject_id: null,
      detail: '{}',
      client_address: null,
      request_id: 'r',
      created_at: new Date().toISOString(),
    })
    for (const table of ['audit', 'tenant_audit']) {
      const isRare = 'n.i <= 20'
      const actor = database.dialect === 'sqlite' ? `'${rareActor}'` : `CAST('${rareActor}' AS uuid)`
      await transaction.run(
        `INSERT INTO ${table} (tenant_id, id, actor_id, actor_name, action, subject_type, subject_id, detail, client_address, request_id, created_at)
         SELECT a.tenant_id, ${moment}, CASE WHEN ${isRare} THEN ${actor} ELSE a.actor_id END, a.actor_name,
           CASE WHEN ${isRare} AND n.i % 2 = 0 THEN 'rare.done' ELSE a.action END, a.subject_type, 's' || n.i, a.detail,
           a.client_address, a.request_id, a.created_at
         FROM audit AS a, ${copies} AS n WHERE a.id = '${id}'`,
        [],
        false,
      )
    }
    await transaction.run(`DELETE FROM audit WHERE id = '${id}'`, [], false)
  })
  if (database.dialect === 'postgres')
    for (const table of ['audit', 'tenant_audit']) await database.executor.run(`ANALYZE ${table}`, [], false)
}
