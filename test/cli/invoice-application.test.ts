/** The command `tenantry` in the folder of the invoice application, on both databases. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { entry } from '../database/schema/application.ts'
import { openStore, type Store } from '../support/database/store.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { type Acme, copyInvoiceApplication, createAcme } from '../support/process/invoice-application.ts'
import { project, type Running, Workplace } from '../support/process/workplace.ts'

onEitherDatabase('tenantry in the folder of the invoice application', (database) => {
  const place = new Workplace()
  const folder = place.folder
  const [copy, archive] = [join(folder, 'copy'), join(folder, 'acme.archive')]
  let store: Store
  let service: Running
  let acme: Acme & { url: string }
  before(async () => {
    copyInvoiceApplication(folder, entry)
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
    store = await openStore(database)
  })
  after(async () => {
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
  const invoices = async () =>
    (await store.rows('SELECT total FROM invoice')).map(({ total }) => Number(total))

  it('creates its tables, and serves its features', async () => {
    await run('migrate')
    assert.deepEqual(await invoices(), [])
    service = place.start(['serve'], { settings: settings() })
    acme = await createAcme(service)
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
    const other = place.start(['serve'], { settings: { ...settings(), ...target } })
    const [, url = ''] = await other.waitFor(/^Tenantry listens on (\S+)$/m)
    await acme.assertWhole(await acme.signIn(url))
    await other.stop()
  })

  it('erases its rows and files, and imports them', async () => {
    await run('tenant deactivate acme')
    assert.match(await run('tenant delete acme --erase'), /^Rows removed: .*\binvoice 1\b/m)
    assert.ok(!existsSync(join(dataDir, 'files/acme')))
    await run(`tenant import ${archive}`)
    assert.deepEqual(await invoices(), [99.8])
    assert.equal(readdirSync(join(dataDir, 'files/acme')).length, 1)
  })
})
