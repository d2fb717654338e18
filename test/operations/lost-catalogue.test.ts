/** A data folder that has lost its catalogue is not taken for a new one; one whose first start was killed is. */
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { backUpAll, restoreAll } from '../../src/cli/backup.ts'
import { openOperator } from '../../src/cli/with-operator.ts'
import { type Config, loadConfig } from '../../src/core/settings/config.ts'
import { hasUsers } from '../../src/identity/user/user.ts'
import { createService, type Service } from '../../src/service/service.ts'
import { createTenant } from '../../src/tenancy/tenant.ts'
import { Client } from '../support/client.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { contentsOf } from '../support/process/folder-contents.ts'
import { Workplace } from '../support/process/workplace.ts'
import { triesAll } from '../support/run/extent.ts'
import { password, person, usualOptions } from '../support/service.ts'

/** Each of them is tried for one loss, the service for all. */
const commands = [['serve'], ['tenant', 'list'], ['migrate']]
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
      'is missing, and so are the mark and the ending of the file of the tenant',
      (file) => {
        for (const name of ['tenantry.db', 'initialized']) rmSync(join(file, '..', name))
        renameSync(join(file, '../tenants/acme.db'), join(file, '../tenants/acme'))
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
    const { context, close } = await openOperator(configOf(whole.folder), usualOptions)
    const acme = { id: 'acme', name: 'Acme', connectionString: 'sqlite:acme.db' }
    const { release } = await context.shared.tenantDatabases.lease(await createTenant(context, acme))
    release()
    await close()
  })
  after(() => whole[Symbol.asyncDispose]())

  for (const [name, lose, sign] of losses) {
    it(`is told of, and left as it is, when that ${name}`, async () => {
      await using place = new Workplace()
      cpSync(whole.folder, place.folder, { recursive: true })
      lose(join(place.folder, 'data/tenantry.db'))
      const left = dataOf(place)
      await assert.rejects(createService(configOf(place.folder), usualOptions), ({ message }: Error) => {
        for (const part of [said, sign, /tenantry restore/]) assert.match(message, part)
        return true
      })
      assert.deepEqual(dataOf(place), left)
    })
  }

  it('is told of by each command', async () => {
    await using place = new Workplace()
    cpSync(whole.folder, place.folder, { recursive: true })
    rmSync(join(place.folder, 'data/tenantry.db'))
    const left = dataOf(place)
    for (const words of commands) {
      const { code, stdout, stderr } = await place.run(words, { settings: { PORT: '0' } })
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, new RegExp(`^tenantry: ${said.source}\n$`))
    }
    assert.deepEqual(dataOf(place), left)
  })

  it('takes a backup without --force, and is a new one when all but the key was moved away', async () => {
    await using place = new Workplace()
    await serveIn(place.folder, async ({ url }) => {
      assert.equal((await new Client(url).post('/api/init/first-admin', person('admin'))).status, 200)
    })
    const to = join(place.folder, 'copy')
    const report = () => undefined
    assert.equal((await backUpAll(configOf(place.folder), { to, report })).failures, 0)
    const data = join(place.folder, 'data')
    for (const ending of ['', ...endings]) rmSync(join(data, `tenantry.db${ending}`), { force: true })
    await restoreAll(configOf(place.folder), { from: to, force: false, report })
    const login = { userName: 'admin', password }
    await serveIn(place.folder, async ({ url }) => {
      assert.equal((await new Client(url).post('/api/auth/login', login)).status, 200)
    })
    const moved = readdirSync(data).filter((name) => name !== 'master.key')
    for (const name of moved) rmSync(join(data, name), { recursive: true, force: true })
    await serveIn(place.folder, async ({ service }) =>
      assert.equal(await hasUsers(await service.operator()), false),
    )
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
    for (const [name, isReached] of triesAll ? moments : moments.slice(-1)) {
      const running = place.start(['serve'], { settings: { PORT: '0' } })
      await eventually(name, soonMs, async () => isReached())
      await running.kill()
    }
    await serveIn(place.folder, async ({ url }) => {
      assert.equal((await new Client(url).post('/api/init/first-admin', person('admin'))).status, 200)
    })
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
      await serveIn(place.folder)
    })
  }
})

describe('A catalogue among the files of tenants', () => {
  it('is not taken for one of them at its first start', async () => {
    await using place = new Workplace()
    const file = join(place.folder, 'data/tenants/main.db')
    await serveIn(place.folder, undefined, { DATABASE_URL: `sqlite:${file}` })
    assert.ok(existsSync(file))
  })
})

const said = /The database file \S+tenantry\.db is missing or empty, and [^\n]+/

/** As the process does: what it finds in the folder is looked at in the same way. */
async function serveIn(
  folder: string,
  work: (served: { service: Service; url: string }) => Promise<void> = async () => undefined,
  settings: Record<string, string> = {},
): Promise<void> {
  const service = await createService(configOf(folder, settings), usualOptions)
  const url = await service.start()
  await work({ service, url }).finally(() => service.stop())
}

function configOf(folder: string, settings: Record<string, string> = {}): Config {
  return loadConfig({ PORT: '0', DATA_DIR: 'data', ...settings }, folder)
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
