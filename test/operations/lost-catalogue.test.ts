/** A data folder that has lost its catalogue is not taken for a new one; one whose first start was killed is. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { createService, loadConfig } from '../../src/index.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { newMasterKey } from '../support/master-key.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { contentsOf } from '../support/process/folder-contents.ts'
import { Workplace } from '../support/process/workplace.ts'
import { usualOptions } from '../support/service.ts'

/** Each of them is tried for one loss, the service for all. */
const commands = [['tenant', 'list'], ['migrate']]
const endings = ['-wal', '-shm']

describe('A data folder that has lost the file of its catalogue', () => {
  const losses: [name: string, lose: (file: string) => void, sign: RegExp][] = [
    ['is missing', (file) => rmSync(file), /was initialized before/],
    ['is empty', (file) => truncateSync(file), /was initialized before/],
    ['lost its log, which held every table', (file) => emptyDatabaseAt(file), /was initialized before/],
    [
      'is missing, and so is the mark',
      (file) => {
        rmSync(file)
        rmSync(join(file, '../initialized'))
      },
      /tenants holds files of tenants/,
    ],
    [
      'is empty beside its log',
      (file) => {
        for (const name of ['initialized', 'tenants']) rmSync(join(file, '..', name), { recursive: true })
        writeFileSync(file, '')
        writeFileSync(`${file}-wal`, 'what was written')
      },
      /tenantry\.db-wal holds data that was written to it/,
    ],
  ]
  const whole = new Workplace()
  before(async () => {
    const made = ['tenant', 'create', 'acme', '--name', 'Acme', '--connection-string', 'sqlite:acme.db']
    assert.equal((await whole.run(made)).code, 0)
  })
  after(() => whole[Symbol.asyncDispose]())

  for (const [name, lose, sign] of losses) {
    it(`is told of, and left as it is, when that ${name}`, async () => {
      await using place = new Workplace()
      cpSync(whole.folder, place.folder, { recursive: true })
      const file = join(place.folder, 'data/tenantry.db')
      lose(file)
      const left = dataOf(place)
      for (const words of [['serve'], ...(name === 'is missing' ? commands : [])]) {
        const { code, stdout, stderr } = await place.run(words, { settings: { PORT: '0' } })
        assert.equal(code, 1)
        assert.equal(stdout, '')
        assert.match(
          stderr,
          /^tenantry: The database file \S+tenantry\.db is missing or empty, and [^\n]+\n$/,
        )
        assert.match(stderr, sign)
        assert.match(stderr, /tenantry restore/)
      }
      assert.deepEqual(dataOf(place), left)
    })
  }

  it('takes a backup without --force, and is a new one when all but the key was moved away', async () => {
    await using place = new Workplace()
    const first = await place.serve()
    const { authorization } = await createAdmin(first)
    await first.stop()
    assert.equal((await place.run(['backup', '--to', 'copy'])).code, 0)
    const data = join(place.folder, 'data')
    for (const ending of ['', ...endings]) rmSync(join(data, `tenantry.db${ending}`), { force: true })
    const restored = await place.run(['restore', '--from', 'copy'])
    assert.deepEqual([restored.code, restored.stderr], [0, ''])
    const again = await place.serve()
    const host = again.anonymous.with({ authorization })
    assert.equal((await host.get('/api/products')).status, 200)
    await again.stop()
    for (const name of [...contentsOf(data).keys()]) if (name !== 'master.key') rmSync(join(data, name))
    const fresh = await place.serve()
    await fresh.waitFor(/There is no user yet\./)
    await fresh.stop()
  })
})

describe('A first start that is killed', () => {
  it('at one moment after the other is taken up by the next, which needs nobody', async () => {
    await using place = new Workplace()
    const data = join(place.folder, 'data')
    const file = join(data, 'tenantry.db')
    const moments: [string, () => boolean][] = [
      ['the key', () => existsSync(join(data, 'master.key'))],
      ['a file', () => existsSync(file)],
      ['a log', () => existsSync(`${file}-wal`)],
      ['a migration', () => migrationsIn(file) > 0],
      ['half of them', () => migrationsIn(file) > 20],
    ]
    for (const [name, isReached] of moments) {
      const running = place.start(['serve'], { settings: { PORT: '0' } })
      await eventually(name, soonMs, async () => isReached())
      await running.kill()
    }
    const service = await place.serve()
    await createAdmin(service)
    assert.equal((await service.stop()).code, 0)
    assert.ok(existsSync(join(data, 'initialized')))
  })

  for (const [name, make] of [
    ['before the file has a page', (file: string) => writeFileSync(file, '')],
    ['before it has tables', (file: string) => emptyDatabaseAt(file)],
  ] as const) {
    it(`${name} is taken up as well`, async () => {
      await using place = new Workplace()
      mkdirSync(join(place.folder, 'data'))
      make(join(place.folder, 'data/tenantry.db'))
      await startAndStop(place)
    })
  }
})

describe('A catalogue among the files of tenants', () => {
  it('is not taken for one of them at its first start', async () => {
    await using place = new Workplace()
    const file = join(place.folder, 'data/tenants/main.db')
    await startAndStop(place, { DATABASE_URL: `sqlite:${file}` })
    assert.ok(existsSync(file))
  })
})

/** As the process does: what it finds in the folder is looked at in the same way. */
async function startAndStop({ folder }: Workplace, settings: Record<string, string> = {}): Promise<void> {
  const config = loadConfig({ PORT: '0', MASTER_KEY: newMasterKey(), ...settings }, folder)
  const service = await createService(config, usualOptions)
  await service.start()
  await service.stop()
}

function emptyDatabaseAt(file: string): void {
  for (const ending of ['', ...endings]) rmSync(`${file}${ending}`, { force: true })
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA user_version = 0')
  connection.close()
}

/** Without the files of locks, and those that SQLite makes for whoever looks. */
function dataOf(place: Workplace): [string, string][] {
  return [...contentsOf(place.folder)].filter(([name]) => !/-serving$|\.lock$|-shm$/.test(name))
}

function migrationsIn(file: string): number {
  if (!existsSync(file)) return 0
  const connection = new DatabaseSync(file, { timeout: 1000 })
  try {
    return Number(connection.prepare('SELECT count(*) AS n FROM migration').get()?.['n'])
  } catch {
    return 0
  } finally {
    connection.close()
  }
}
