/** Files of the service are readable by its own user only, even under a umask that takes no permission away. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { createAdmin } from '../support/process/administrator.ts'
import { executable, project, Workplace } from '../support/process/workplace.ts'

const key = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }

describe('Under the umask 000', () => {
  const under = (program: string, ...words: string[]) => ({
    command: ['sh', '-c', `umask 000; exec "$0" "$@"`, program, ...words],
  })
  const command = (...words: string[]) => under(process.execPath, executable, ...words)

  for (const settings of [key, {}])
    it(`nobody else can read what is made ${settings === key ? 'with MASTER_KEY' : 'with a key of its own'}`, async () => {
      await using place = new Workplace({ ...settings, DATABASE_URL: 'sqlite:apart/catalogue.db' })
      const service = await place.serve({}, command('serve').command)
      const { authorization } = await createAdmin(service)
      const tenant = { id: 'acme', name: 'Acme', connectionString: 'sqlite:acme.db' }
      assert.equal((await service.anonymous.post('/api/tenants', tenant, { authorization })).status, 201)
      assert.equal((await service.anonymous.get('/api/products', { 'x-tenant-id': 'acme' })).status, 200)
      assert.deepEqual(exposed(place.folder), [])
      const run = async (words: string[], more: Record<string, string> = {}) => {
        const { code, stderr } = await place.start([], { ...command(...words), settings: more }).ended
        assert.deepEqual([code, stderr, words], [0, '', words])
      }
      await run(['tenant', 'move', 'acme', '--to', 'sqlite:moved.db', '--remove-after', '0'])
      await run(['tenant', 'export', 'acme', '--to', 'acme.archive'])
      await run(['backup', '--to', 'copy'])
      assert.equal((await service.stop()).code, 0)
      await run(['restore', '--from', 'copy', '--force'])
      const elsewhere = { ...key, DATA_DIR: 'elsewhere', DATABASE_URL: '' }
      if (settings === key)
        await run(['tenant', 'import', 'acme.archive', '--to', 'sqlite:acme.db'], elsewhere)
      const names = readdirSync(place.folder, { recursive: true }).map(String)
      for (const name of [
        'apart/catalogue.db',
        'data/tenants/moved.db',
        'copy/manifest.json',
        'acme.archive',
      ])
        assert.ok(names.includes(name), name)
      assert.deepEqual(exposed(place.folder), [])
    })

  it('nobody else can read what a service of the package makes', async () => {
    await using place = new Workplace(key)
    const program = join(project, 'test/database/served.ts')
    const service = await place.serve({}, under(process.execPath, program).command)
    assert.deepEqual(exposed(place.folder), [])
    await service.stop()
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
    const service = await place.serve()
    assert.equal((await service.stop()).stderr, '')
    assert.deepEqual(
      service
        .log()
        .filter(({ level }) => level > 30)
        .map(({ msg }) => msg),
      [text],
    )
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

/** What the group or others may do anything with, but for the folder itself. */
function exposed(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0 && !relative(folder, path).startsWith('.'))
    .map((path) => `${relative(folder, path)} ${(statSync(path).mode & 0o777).toString(8)}`)
}
