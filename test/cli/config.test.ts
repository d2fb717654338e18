/** The command `tenantry` in the folder of an application, and the file that describes it. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findConfig } from '../../src/cli/application.ts'
import { ApplicationError, loadApplication } from '../../src/index.ts'
import { entry } from '../database/schema/application.ts'
import { Client } from '../support/client.ts'
import { newMasterKey } from '../support/master-key.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { project, Workplace } from '../support/process/workplace.ts'
import { password, person } from '../support/service.ts'

describe('tenantry in the folder of the invoice application', () => {
  const place = new Workplace()
  after(() => place[Symbol.asyncDispose]())

  it('serves its features, and moves, backs up, restores, exports, erases and imports their rows', async () => {
    const folder = join(project, 'examples/invoice')
    const masterKey = { MASTER_KEY: newMasterKey() }
    const settings = { PORT: '0', DATA_DIR: join(place.folder, 'data'), ...masterKey }
    const service = place.start(['serve'], { folder, settings })
    const [, url = ''] = await service.waitFor(/^Tenantry listens on (\S+)$/m)
    const anonymous = new Client(url)
    const { accessToken } = await createAdmin(Object.assign(service, { url, anonymous }))
    const host = anonymous.withToken(accessToken)
    const made = await host.post('/api/tenants', { id: 'acme', name: 'Acme', admin: person('ada') })
    assert.equal(made.status, 201)
    const credentials = { userName: 'ada', password }
    const signedIn = await anonymous.post('/api/auth/login', credentials, { 'x-tenant-id': 'acme' })
    const ada = anonymous.withToken(signedIn.body.accessToken)
    const customer = await ada.post('/api/customers', { name: 'Nordic Timber' })
    const lines = [{ text: 'Desk', quantity: 2, price: 49.9 }]
    const invoice = await ada.post('/api/invoices', { customerId: customer.body.id, lines })
    assert.deepEqual([invoice.status, invoice.body.total], [201, 99.8])
    const label = await ada.get(`/api/invoices/${invoice.body.id}/label`)
    assert.deepEqual([label.status, label.body], [200, { label: 'INV-1' }])
    // An error class of the features is one that the service knows: this is no 500.
    assert.equal((await ada.post('/api/invoices', { customerId: invoice.body.id, lines })).status, 400)

    const words = ['tenant', 'move', 'acme', '--to', 'sqlite:acme.db', '--remove-after', '0']
    const moved = await place.run(words, { folder, settings })
    assert.deepEqual([moved.code, moved.stderr], [0, ''])
    assert.ok(existsSync(join(settings.DATA_DIR, 'tenants/acme.db')))
    const path = `/api/invoices/${invoice.body.id}`
    assert.deepEqual((await ada.get(path)).body, invoice.body)

    const run = async (line: string, further: Record<string, string> = {}): Promise<string> => {
      const ended = await place.run(line.split(' '), { folder, settings: { ...settings, ...further } })
      assert.deepEqual([ended.code, ended.stderr], [0, ''], line)
      return ended.stdout
    }
    const served = async (further: Record<string, string> = {}) => {
      const process = place.start(['serve'], { folder, settings: { ...settings, ...further } })
      const [, address = ''] = await process.waitFor(/^Tenantry listens on (\S+)$/m)
      const client = new Client(address)
      const { body } = await client.post('/api/auth/login', credentials, { 'x-tenant-id': 'acme' })
      const found = await client.withToken(body.accessToken).get(path)
      await process.stop()
      return found.body
    }
    const [copy, archive] = [join(place.folder, 'copy'), join(place.folder, 'acme.archive')]
    await run(`backup --to ${copy}`)
    await run(`tenant export acme --to ${archive}`)
    await service.stop()
    await run('tenant deactivate acme')
    assert.match(await run('tenant delete acme --erase'), /^Rows removed: .*\binvoice 1\b/m)
    await run(`tenant import ${archive}`)
    assert.deepEqual(await served(), invoice.body)

    const restored = { DATA_DIR: join(place.folder, 'restored') }
    const plain = await place.run(['restore', '--from', copy], { settings: { ...masterKey, ...restored } })
    assert.equal(plain.code, 1, 'the plain service does not know the tables of the application')
    assert.match(plain.stderr, /cannot be restored\. It has/)
    await run(`restore --from ${copy}`, restored)
    assert.deepEqual(await served(restored), invoice.body)
  })
})

describe('The file of an application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-config-'))
  const own = join(project, 'src/index.ts')
  const define = `import { defineConfig, entity, text } from '${own}'\n`
  const note = "const note = entity('note', { fields: { title: text() } })\n"
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  after(() => rmSync(folder, { recursive: true, force: true }))

  const refused: [title: string, text: string, complaint: RegExp][] = [
    ['throws', "throw new Error('No disk')", /^ cannot be loaded: Error: No disk\n {4}at [^\n]+:1:7\)?$/],
    ['does not parse', 'export default {', /^ cannot be loaded: .*SyntaxError/s],
    ['imports what is not there', "import './no.ts'", /^ cannot be loaded: Cannot find module [^\n]*$/],
    ['exports nothing', 'export const features = []', /^ exports nothing by default, and not defineConfig/],
    [
      'exports an object',
      'export default { features: [] }',
      /^ exports an object by default, and not define/,
    ],
    [
      'misspells',
      `${define}export default defineConfig({ feature: [] })`,
      /^: .* feature; did you mean features\?$/,
    ],
    [
      'has no features',
      `${define}export default defineConfig({})`,
      /^: features must be a list of features\.$/,
    ],
    [
      'has something else among its features',
      `${define}export default defineConfig({ features: [undefined] })`,
      /^: features\[0\] is no feature, because it has no name\.$/,
    ],
    [
      'names a feature twice',
      `${define}${note}export default defineConfig({ features: [note, note] })`,
      /^: features has note twice\.$/,
    ],
  ]
  for (const [place, [title, text, complaint]] of refused.entries()) {
    it(`is refused with its name and the reason if it ${title}`, async () => {
      const file = write(`refused-${place}.ts`, text)
      await assert.rejects(loadApplication(file), (error) => {
        assert.ok(error instanceof ApplicationError)
        assert.ok(error.message.startsWith(file), error.message)
        assert.match(error.message.slice(file.length), complaint)
        return true
      })
    })
  }

  it('says what is left out, and brings the migrations in its folder or in another one', async () => {
    const named = `${define}${note}export default defineConfig({ features: [note], migrations: '../made' })`
    const { migrations } = await loadApplication(write('named/app.ts', named))
    assert.equal(migrations?.folder, join(folder, 'made'))
    const usual = `${define}${note}export default defineConfig({ features: [note] })`
    const { migrations: beside } = await loadApplication(write('usual/app.ts', usual))
    assert.equal(beside?.folder, join(folder, 'usual/migrations'))
    const none = `${define}export default defineConfig({ features: [], without: ['orders'] })`
    assert.deepEqual(await loadApplication(write('none.ts', none)), { features: [], without: ['orders'] })
  })

  it('is one file of its folder', async () => {
    assert.equal(await findConfig(null, folder), null)
    for (const name of ['tenantry.config.ts', 'tenantry.config.mjs']) write(`two/${name}`, '')
    const two = join(folder, 'two')
    const message = `${two} has tenantry.config.ts and tenantry.config.mjs: name one of them with --config.`
    await assert.rejects(findConfig(null, two), { message })
  })

  it('imports the copy of the package that loads it', async () => {
    const other = `export default { features: [], [Symbol.for('tenantry.copy')]: {} }`
    await assert.rejects(loadApplication(write('other.mjs', other)), /imports another copy of tenantry than/)
  })
})

describe('tenantry --config', () => {
  const place = new Workplace()
  before(() => writeFileSync(join(place.folder, 'tenantry.config.js'), "throw new Error('loaded')"))
  after(() => place[Symbol.asyncDispose]())

  it('names another file than that of the folder', async () => {
    mkdirSync(join(place.folder, 'apps'))
    const text = `import { defineConfig, entity, text } from '${entry}'
const note = entity('note', { fields: { title: text() } })
export default defineConfig({ features: [note] })`
    writeFileSync(join(place.folder, 'apps/notes.mjs'), text)
    const { code, stderr } = await place.run(['migrate', 'diff', '--config=apps/notes.mjs'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.ok(existsSync(join(place.folder, 'apps/migrations/0001-create-note.sql')))
  })

  const failures: [words: string, code: number, complaint: RegExp][] = [
    ['serve', 1, /^tenantry: \S+tenantry\.config\.js cannot be loaded: Error: loaded\n/],
    ['serve --config apps/none.ts', 1, /^tenantry: There is no file \S+\/apps\/none\.ts\.\n$/],
    ['tenant list --config', 2, /^tenantry: --config takes a file\. See tenantry --help\.\n$/],
    ['nonsense', 2, /^tenantry: There is no command "nonsense"\. See/],
  ]
  for (const [words, code, complaint] of failures) {
    it(`fails before anything is written: ${words}`, async () => {
      const ended = await place.run(words.split(' '))
      assert.deepEqual([ended.code, ended.stdout], [code, ''])
      assert.match(ended.stderr, complaint)
      assert.ok(!existsSync(join(place.folder, 'data')))
    })
  }
})
