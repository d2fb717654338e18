/** Files of the service are readable by its own user only, even under a umask that takes no permission away. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { createService, loadConfig } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { serveHere } from '../support/process/serve-here.ts'
import { Workplace } from '../support/process/workplace.ts'

const key = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const catalogueIn = ({ folder }: Workplace) => `sqlite:${join(folder, 'apart/catalogue.db')}`

describe('Under the umask 000', () => {
  let usual: number
  before(() => {
    usual = process.umask(0)
  })
  after(() => void process.umask(usual))

  it('nobody else can read what the command line makes, with MASTER_KEY', async () => {
    await using place = new Workplace(key)
    const settings = { DATABASE_URL: catalogueIn(place) }
    const service = await place.serve(settings)
    await makeFiles(place, service.anonymous)
    assert.equal((await service.stop()).code, 0)
    await runCommand(place, ['restore', '--from', 'copy', '--force'], settings)
    const elsewhere = { DATA_DIR: 'elsewhere' }
    await runCommand(place, ['tenant', 'import', 'acme.archive', '--to', 'sqlite:acme.db'], elsewhere)
    assert.deepEqual(exposed(place.folder), [])
  })

  it('nor what a service of the package makes, with a key of its own', async () => {
    await using place = new Workplace()
    const settings = { DATABASE_URL: catalogueIn(place) }
    const service = await serveHere(settings, place.folder)
    await makeFiles(place, service.anonymous)
    await service[Symbol.asyncDispose]()
    await runCommand(place, ['restore', '--from', 'copy', '--force'], settings)
    assert.deepEqual(exposed(place.folder), [])
  })
})

describe('A data folder that others can read', () => {
  it('is told of once, with what to do, and left as it is', async () => {
    await using place = new Workplace(key)
    const folder = join(place.folder, 'data')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    const text = `Other users of this machine can read ${folder}: run chmod 700 ${folder}.`
    const { code, stderr } = await place.run(['tenant', 'list'])
    assert.deepEqual([code, stderr], [0, `tenantry: ${text}\n`])
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) })
    const service = await createService(loadConfig({ ...key, PORT: '0' }, place.folder), { log })
    await service.start()
    await service.stop()
    assert.deepEqual(warnings, [text])
    assert.equal(statSync(folder).mode & 0o777, 0o755)
    chmodSync(folder, 0o700)
    assert.equal((await place.run(['tenant', 'list'])).stderr, '')
  })

  it('as is a database outside of it', async () => {
    await using place = new Workplace({ ...key, DATABASE_URL: 'sqlite:apart.db' })
    chmodSync(place.folder, 0o755)
    assert.equal((await place.run(['tenant', 'list'])).stderr, '')
    chmodSync(join(place.folder, 'apart.db'), 0o644)
    assert.match(
      (await place.run(['tenant', 'list'])).stderr,
      /^tenantry: Other users of this machine can read (\S+apart\.db): run chmod 600 \1\.\n$/,
    )
  })
})

/** A service creates the database of a tenant, and commands move, export and copy. */
async function makeFiles(place: Workplace, anonymous: Client): Promise<void> {
  const { authorization } = await createAdmin({ anonymous })
  const tenant = { id: 'acme', name: 'Acme', connectionString: 'sqlite:acme.db' }
  assert.equal((await anonymous.post('/api/tenants', tenant, { authorization })).status, 201)
  assert.equal((await anonymous.get('/api/products', { 'x-tenant-id': 'acme' })).status, 200)
  assert.deepEqual(exposed(place.folder), [])
  const settings = { DATABASE_URL: catalogueIn(place) }
  const move = ['tenant', 'move', 'acme', '--to', 'sqlite:moved.db', '--remove-after', '0']
  for (const words of [
    move,
    ['tenant', 'export', 'acme', '--to', 'acme.archive'],
    ['backup', '--to', 'copy'],
  ])
    await runCommand(place, words, settings)
  const names = readdirSync(place.folder, { recursive: true }).map(String)
  for (const name of ['apart/catalogue.db', 'data/tenants/moved.db', 'copy/manifest.json', 'acme.archive'])
    assert.ok(names.includes(name), name)
  assert.deepEqual(exposed(place.folder), [])
}

async function runCommand(
  place: Workplace,
  words: string[],
  settings: Record<string, string>,
): Promise<void> {
  const { code, stderr } = await place.run(words, { settings })
  assert.deepEqual([code, stderr, words], [0, '', words])
}

/** What the group or others may do anything with, but for the folder itself. */
function exposed(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0 && !relative(folder, path).startsWith('.'))
    .map((path) => `${relative(folder, path)} ${(statSync(path).mode & 0o777).toString(8)}`)
}
