/** The command `tenantry` in the folder of the invoice application, on both databases. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { createService, loadApplication, loadConfig, type Service } from '../../src/index.ts'
import { ownEntry } from '../database/schema/application.ts'
import { openStore, type Store } from '../support/database/store.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { type Acme, copyInvoiceApplication, createAcme } from '../support/process/invoice-application.ts'
import { project, Workplace } from '../support/process/workplace.ts'
import { usualOptions } from '../support/service.ts'

onEitherDatabase('tenantry in the folder of the invoice application', (database) => {
  const place = new Workplace()
  const folder = place.folder
  const [copy, archive] = [join(folder, 'copy'), join(folder, 'acme.archive')]
  let store: Store
  let service: Service
  let acme: Acme & { url: string }
  before(async () => {
    copyInvoiceApplication(folder, ownEntry)
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
    store = await openStore(database)
  })
  after(async () => {
    await service?.stop()
    await place[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })

  const dataDir = join(folder, 'data')
  const settings = () => ({ PORT: '0', DATA_DIR: dataDir, ...store.settings })
  const run = async (line: string, further: Record<string, string> = {}): Promise<string> => {
    const ended = await place.run(line.split(' '), { settings: { ...settings(), ...further } })
    assert.deepEqual([ended.code, ended.stderr], [0, ''], line)
    return ended.stdout
  }
  const open = async (further: Record<string, string> = {}): Promise<Service> => {
    const application = await loadApplication(join(folder, 'tenantry.config.ts'))
    const config = loadConfig({ ...settings(), ...further }, folder)
    return createService(config, { ...application, ...usualOptions })
  }
  const invoices = async () =>
    (await store.rows('SELECT total FROM invoice')).map(({ total }) => Number(total))

  it('creates its tables, and serves its features', async () => {
    await run('migrate')
    assert.deepEqual(await invoices(), [])
    service = await open()
    acme = await createAcme(await service.start())
    await acme.assertWhole(await acme.signIn(acme.url))
    assert.deepEqual(await invoices(), [99.8])
  })

  it('moves its rows while it serves them', async () => {
    await run('tenant move acme --to sqlite:acme.db --remove-after 0')
    assert.ok(existsSync(join(dataDir, 'tenants/acme.db')))
    assert.deepEqual(await invoices(), [])
    await acme.assertWhole(await acme.signIn(acme.url))
  })

  it('backs up and exports its rows and files, and restores them', async () => {
    await run(`backup --to ${copy}`)
    await run(`tenant export acme --to ${archive}`)
    await service.stop()
    // On PostgreSQL the backup has the database of acme, and the catalogue is still there.
    const catalogue = database === 'sqlite' ? { DATABASE_URL: `sqlite:${join(folder, 'restored.db')}` } : {}
    const target = { DATA_DIR: join(folder, 'restored'), ...catalogue }
    if (database === 'sqlite') {
      const plain = { settings: { ...store.settings, ...target }, folder: project }
      const { code, stderr } = await place.run(['restore', '--from', copy], plain)
      assert.equal(code, 1, 'the plain service does not know the tables of the application')
      assert.match(stderr, /cannot be restored\. It has/)
    }
    await run(`restore --from ${copy}`, target)
    const other = await open(target)
    await acme.assertWhole(await acme.signIn(await other.start()))
    await other.stop()
  })

  it('erases its rows and files, and imports them', async () => {
    // The catalogue on PostgreSQL knows the restored copy as the later one.
    if (database === 'postgres') await run('tenant database acme --accept')
    await run('tenant deactivate acme')
    assert.match(await run('tenant delete acme --erase'), /^Rows removed: .*\binvoice 1\b/m)
    assert.ok(!existsSync(join(dataDir, 'files/acme')))
    await run(`tenant import ${archive}`)
    assert.deepEqual(await invoices(), [99.8])
    assert.equal(readdirSync(join(dataDir, 'files/acme')).length, 1)
  })
})
