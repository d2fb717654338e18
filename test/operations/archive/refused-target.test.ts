/** An import reports what is in its way, and nothing changes. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { ImportOptions } from '../../../src/operations/archive/import.ts'
import { dump, inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { person, type TestService } from '../../support/service.ts'
import type { Victim } from '../../support/victim.ts'
import { ArchiveScene } from './installations.ts'

onEitherDatabase('An import', (database) => {
  let scene: ArchiveScene
  let source: TestService
  let target: TestService
  let tenant: Victim
  let archive: string
  before(async () => {
    scene = new ArchiveScene()
    ;({ source, target, tenant, archive } = await scene.passage(database))
  })
  after(() => scene[Symbol.asyncDispose]())

  it('refuses what is taken: the id, the subdomain, the id of a user', async () => {
    await assert.rejects(scene.import(source, archive), /The tenant .* already exists/)
    await isRefused(/must be postgres:/, { to: 'mysql://db' })
    await isRefused(/subdomain: /, { subdomain: 'not a label' })
    const made = await target.host.post('/api/tenants', { id: 'first', name: 'F', subdomain: tenant.canary })
    assert.equal(made.status, 201)
    await isRefused(/Another tenant has the subdomain \w+\. Set another one with --subdomain/)
    await target.host.put('/api/tenants/first', { subdomain: null })

    const other = await target.newTenant()
    const user = await other.admin.post('/api/users', person('same'))
    const [row] = await inspect(
      source.config.databaseUrl,
      `SELECT id FROM account WHERE tenant_id = '${tenant.id}'`,
    )
    const id = String(row?.['id'])
    const { databaseUrl } = target.config
    await inspect(databaseUrl, `DELETE FROM sign_in_name WHERE account_id = '${user.body.id}'`)
    await inspect(databaseUrl, `UPDATE account SET id = '${id}' WHERE id = '${user.body.id}'`)
    await isRefused(new RegExp(`Another account with the id ${id} already exists`))
    await inspect(databaseUrl, `UPDATE account SET id = '${user.body.id}' WHERE id = '${id}'`)
  })

  it('notices a copy that is not what it was made from, and leaves nothing of it', async () => {
    const { databaseUrl } = target.config
    const [bend, mend] = bent[database]
    for (const sql of bend) await inspect(databaseUrl, sql)
    await isRefused(/The copy differs from the source: product in [0-9a-f-]{36}\.$/)
    for (const sql of mend) await inspect(databaseUrl, sql)
  })

  it('refuses a place with other rows of the tenant, unless they are to be replaced', async () => {
    const sql = `INSERT INTO category (tenant_id, id, name, search_name, created_at, updated_at, version) VALUES
      ('${tenant.id}', '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c99', 'Old', 'old', '2026-01-01', '2026-01-01', 1)`
    await inspect(target.config.databaseUrl, sql)
    await isRefused(/already has rows of the tenant \(category\)\. --replace replaces them/)
    await keepAudit()
    const twice = () =>
      assert.rejects(scene.import(target, archive), /Another process is moving or importing/)
    await scene.import(target, archive, { replace: true, subdomain: null, reached: twice })
    const { client } = await target.signIn('boss', tenant.id)
    const categories = (await client.get('/api/categories')).body
    assert.deepEqual(
      categories.map(({ id }: { id: string }) => id),
      [tenant.names.category],
    )
    assert.equal((await target.host.get(`/api/tenants/${tenant.id}`)).body.subdomain, null)
    const audit = (await client.get('/api/audit?limit=200')).body.map(
      ({ action }: { action: string }) => action,
    )
    for (const action of ['tenant.created', 'tenant.imported']) assert.ok(audit.includes(action), action)
    await assert.rejects(scene.import(target, archive), /The tenant .* already exists/)
  })

  /** As the host does of a tenant that is erased. */
  async function keepAudit(): Promise<void> {
    const created = "SELECT * FROM audit WHERE action = 'tenant.created'"
    const [row] = await inspect(`sqlite:${archive}`, created)
    const kept = { ...row, tenant_id: 'default', actor_name: null, client_address: null, detail: '{}' }
    const values = Object.values(kept).map((value) => (value === null ? 'NULL' : `'${String(value)}'`))
    const sql = `INSERT INTO audit (${Object.keys(kept).join()}) VALUES (${values.join()})`
    await inspect(target.config.databaseUrl, sql)
  }

  async function isRefused(complaint: RegExp, options: Partial<ImportOptions> = {}): Promise<void> {
    const state = await dump(target.config.databaseUrl)
    await assert.rejects(scene.import(target, archive, options), complaint)
    assert.equal(await dump(target.config.databaseUrl), state)
    assert.equal(existsSync(join(target.dataDir, 'tenants')), false)
  }
})

/** A product gets another price as it is written; and no more. */
const bent = {
  sqlite: [
    [
      `CREATE TRIGGER bent AFTER INSERT ON product BEGIN
        UPDATE product SET price = price + 1 WHERE id = new.id; END`,
    ],
    ['DROP TRIGGER bent'],
  ],
  postgres: [
    [
      `CREATE FUNCTION bend() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN NEW.price := NEW.price + 1; RETURN NEW; END'`,
      'CREATE TRIGGER bent BEFORE INSERT ON product FOR EACH ROW EXECUTE FUNCTION bend()',
    ],
    ['DROP TRIGGER bent ON product', 'DROP FUNCTION bend()'],
  ],
} as const
