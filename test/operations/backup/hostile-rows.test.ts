/**
 * Rows of a backup made by somebody else. A restore checks no values: it must not refuse what an earlier version has
 * written. Whatever makes a path of a value refuses one that leads elsewhere.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, it } from 'node:test'
import { pino } from 'pino'
import type { Context } from '../../../src/core/context.ts'
import { newId } from '../../../src/core/id.ts'
import { fileSweep } from '../../../src/files/sweep.ts'
import { MailFolder } from '../../../src/mail/transport/folder.ts'
import { operationJob } from '../../../src/operations/operation/run.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'

const created = '2026-01-01T00:00:00.000Z'
const madeAt = created.replaceAll(':', '-')

onEachDatabase('A row of a foreign backup', (database) => {
  let service: TestService
  let operator: Context
  let tenant: TestTenant
  /** Beside the data folder. */
  const outside = uniqueName('outside')
  let victims: string[]
  before(async () => {
    service = await startService(database)
    operator = await service.service.operator()
    tenant = await service.newTenant()
    const folder = join(dirname(service.dataDir), outside)
    victims = [join(folder, 'content'), join(folder, `x-${madeAt}.archive`)]
    mkdirSync(folder)
    for (const path of victims) writeFileSync(path, 'of others')
  })
  after(() => service.stop())

  const query = (sql: string) => inspect(service.config.databaseUrl, sql)

  /** Nothing but what was there. */
  function isUntouched(): void {
    for (const path of victims) assert.ok(existsSync(path), path)
    const names = readdirSync(dirname(service.dataDir)).filter((name) => name.startsWith(outside))
    assert.deepEqual(names, [outside])
    assert.equal(readdirSync(join(dirname(service.dataDir), outside)).length, victims.length)
  }

  const operations = [
    ['export', `../../${outside}/x`, created],
    ['export', '../../..', created],
    ['backup', null, `../../${outside}`],
    ['backup', null, '..'],
    ['erase', `../../${outside}`, created],
    ['move', `../../${outside}`, created],
  ] as const
  for (const [kind, subject, createdAt] of operations) {
    it(`deletes and writes nothing elsewhere as the operation ${kind} of ${subject ?? createdAt}`, async () => {
      const id = newId()
      const values = [id, kind, subject, 'WAITING', 'x', newId(), createdAt].map((each) =>
        each === null ? 'NULL' : `'${each}'`,
      )
      const inserted = query(
        `INSERT INTO operation (id, kind, subject_id, status, requested_by, job_id, created_at) VALUES (${values.join(', ')})`,
      )
      if (database === 'postgres' && createdAt !== created) return assert.rejects(inserted, /timestamp/)
      await inserted
      const contents = join(service.dataDir, 'files')
      const running = operationJob(contents).run(
        operator,
        { operationId: id },
        { jobId: newId(), attempt: kind === 'erase' ? 1 : 9 },
      )
      await running.catch(() => undefined) // its row says so
      const [row] = await query(`SELECT status FROM operation WHERE id = '${id}'`)
      assert.equal(row?.['status'], 'FAILED')
      isUntouched()
    })
  }

  it('writes no mail elsewhere', async () => {
    const folder = new MailFolder(join(service.dataDir, 'mail'), pino({ level: 'silent' }))
    const mail = {
      id: `../../${outside}`,
      tenantId: tenant.id,
      template: 'x',
      to: 'ada@example.com',
      from: { name: '', address: 'from@example.com' },
      subject: 'x',
      text: 'x',
      html: 'x',
      headers: {},
    }
    await assert.rejects(folder.send(mail as never), /This is no name of a file/) // whatever else it has
    isUntouched()
  })

  it('removes no content elsewhere', async () => {
    const id = `../../../${outside}/content`
    const inserted = query(`INSERT INTO stray_file VALUES ('${tenant.id}', '${id}', '${created}')`)
    if (database === 'postgres') return assert.rejects(inserted, /uuid/)
    await inserted
    const sweep = fileSweep()
    await sweep.run(operator, new AbortController().signal)
    isUntouched()
    await query(`DELETE FROM stray_file WHERE id = '${id}'`)
  })

  const tenants = [
    ['the folder of another tenant', () => [tenant.id.toUpperCase(), uniqueName('other')]],
    ['a folder elsewhere', () => [`../../${outside}`, `../../${outside}`]],
    ['the folder of uploads', () => ['.uploads', '.uploads']],
  ] as const
  for (const [what, ids] of tenants) {
    it(`gives no tenant ${what}`, async () => {
      const [id = '', key = ''] = ids()
      await query(
        `INSERT INTO tenant (id, id_key, name, is_active, created_at, version) VALUES ('${id}', '${key}', 'x', ${database === 'sqlite' ? 1 : true}, '${created}', 1)`,
      )
      const { status } = await service.anonymous.get('/api/products', { 'x-tenant-id': key })
      assert.ok([404, 500].includes(status), `${status}`)
      assert.equal((await service.host.get(`/api/tenants/${encodeURIComponent(key)}`)).status >= 400, true)
      isUntouched()
      await query(`DELETE FROM tenant WHERE id_key = '${key}'`)
      assert.equal((await tenant.user.get('/api/products')).status, 200)
    })
  }
})
