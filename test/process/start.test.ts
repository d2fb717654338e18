import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createPostgresDatabase, onEitherDatabase } from '../support/databases.ts'
import { newMasterKey } from '../support/master-key.ts'
import { Workplace } from '../support/process/workplace.ts'
import { startService } from '../support/service.ts'

const hasCurl = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'curl')))

describe('A start', () => {
  it('prints its address, the console, the reference pages and the command for the first administrator, once, and logs in lines of JSON', async () => {
    await using place = new Workplace()
    const first = await place.serve()
    const [, command = ''] = await first.waitFor(/There is no user yet\.[^\n]*\n {2}(curl [^\n]+)\n/)
    const [, ...pages] = await first.waitFor(
      /^Console: +(\S+)\nAPI reference: +(\S+) and (\S+)\nGraphQL: +(\S+)$/m,
    )
    for (const page of pages)
      assert.equal((await first.anonymous.get(page.slice(first.url.length))).status, 200, page)
    assert.match(await runInShell(command, place), /"userName":"admin"/)
    const credentials = { userName: 'admin', password: 'Admin@123' }
    assert.equal((await first.anonymous.post('/api/auth/login', credentials)).status, 200)
    assert.equal((await first.stop()).code, 0)

    const second = await place.serve({ LOG_LEVEL: 'trace' })
    await second.anonymous.get('/api/products?tenant=default', { 'x-request-id': 'asked-by-a-test' })
    const { code, stdout, stderr } = await second.stop()
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(greeting(stdout), [
      `Tenantry listens on ${second.url}`,
      `Console:            ${second.url}/console`,
      `API reference:      ${second.url}/swagger and ${second.url}/api-docs`,
      `GraphQL:            ${second.url}/graphql/ui`,
    ])
    assertLogOfJson(stdout)
  })

  it('listens on every address of localhost, and on one alone where HOST names it', async () => {
    for (const [HOST, address] of [
      ['127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
      ['0.0.0.0', /^http:\/\/localhost:\d+$/],
    ] as const) {
      const service = await startService('sqlite', { HOST })
      assert.match(service.url, address)
      assert.equal((await service.anonymous.get('/health/live')).status, 200)
      await service.stop()
    }
  })
})

onEitherDatabase('A start that fails', (database) => {
  let drop = async (): Promise<void> => undefined
  const settings: Record<string, string> = { MASTER_KEY: newMasterKey() }
  before(async () => {
    if (database === 'sqlite') return
    const created = await createPostgresDatabase()
    settings['DATABASE_URL'] = created.url
    drop = created.drop
  })
  after(() => drop())

  it('says in one line that the port is in use', async () => {
    await using place = new Workplace(settings)
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo // it listens on TCP
    const { code, stdout, stderr } = await place.runProcess(['serve'], {
      settings: { PORT: `${port}`, HOST: '127.0.0.1' },
    })
    taken.close()
    assert.equal(code, 1)
    assert.doesNotMatch(stdout, /Tenantry/)
    assert.match(stderr, new RegExp(`^tenantry: Port ${port} on 127\\.0\\.0\\.1 is in use: [^\\n]+\\n$`))
  })

  it('says in one line that the host is not here', async () => {
    await using place = new Workplace(settings)
    for (const host of ['192.0.2.1', 'nowhere.invalid']) {
      const { code, stderr } = await place.run(['serve'], { settings: { PORT: '0', HOST: host } })
      assert.deepEqual(
        { code, stderr },
        { code: 1, stderr: `tenantry: HOST ${host} is not an address of this machine.\n` },
      )
    }
  })
})

/** Together, because one takes as long as a connection may take. */
describe('A database that cannot be reached', { concurrency: true }, () => {
  let silent: Server
  const silenced: Socket[] = []
  before(async () => {
    silent = createServer((socket) => silenced.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
  })
  after(() => {
    for (const socket of silenced) socket.destroy()
    silent.close()
  })

  const refused: [what: string, url: () => string, reason: RegExp][] = [
    [
      'a server that is not there',
      () => 'postgres://u:hidden@127.0.0.1:1/app',
      /PostgreSQL cannot be reached\. \(connect ECONNREFUSED 127\.0\.0\.1:1\)/,
    ],
    [
      'a host that is not there',
      () => 'postgres://u:hidden@nowhere.invalid/app',
      /PostgreSQL cannot be reached\. \(getaddrinfo \w+ nowhere\.invalid\)/,
    ],
    [
      'a server that says nothing',
      () => `postgres://u:hidden@127.0.0.1:${(silent.address() as AddressInfo).port}/app`,
      /PostgreSQL cannot be reached\. \(timeout expired\)/,
    ],
    [
      'a folder',
      () => 'sqlite:.',
      /The database file \S+ cannot be opened\. \(unable to open database file\)/,
    ],
    [
      'a file that is no database',
      () => 'sqlite:.env',
      /The database file \S+ cannot be opened\. \(file is not a database\)/,
    ],
  ]
  for (const [what, url, reason] of refused) {
    it(`is told in one line: ${what}`, async () => {
      await using place = new Workplace({ DATABASE_URL: url() })
      writeFileSync(join(place.folder, '.env'), `# ${'no database '.repeat(100)}\n`)
      const both = await Promise.all([place.run(['serve']), place.run(['tenant', 'list'])])
      for (const { code, stdout, stderr } of both) {
        assert.equal(code, 1)
        assert.equal(stdout, '')
        assert.match(stderr, /^tenantry: [^\n]+\n$/)
        assert.match(stderr, reason)
        assert.ok(!stderr.includes('hidden'))
      }
    })
  }
})

/** Where no terminal is. It warns of nothing. */
function assertLogOfJson(stdout: string): void {
  const texts = stdout
    .trimEnd()
    .split('\n')
    .filter((line) => !greeting(stdout).includes(line))
  const lines = texts.map((text) => JSON.parse(text))
  for (const line of lines) {
    assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(typeof line.level, 'number')
  }
  const messages = lines.map(({ msg }) => msg)
  for (const expected of ['listening', 'request', 'stopping', 'stopped'])
    assert.ok(messages.includes(expected), expected)
  const { time, ms, client, ...request } = lines.find(({ msg }) => msg === 'request')
  assert.deepEqual(request, {
    level: 30,
    requestId: 'asked-by-a-test',
    method: 'GET',
    path: '/api/products',
    status: 200,
    tenantId: 'default',
    msg: 'request',
  })
}

function greeting(stdout: string): string[] {
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
}

/** With curl itself, where there is one. @returns what the service answered */
async function runInShell(command: string, place: Workplace): Promise<string> {
  if (hasCurl) {
    const { code, stdout } = await place.start([], { command: ['sh', '-c', command] }).ended
    assert.equal(code, 0)
    return stdout
  }
  const [, method = '', url = '', header = '', body = ''] =
    /^curl -X (\w+) (\S+) -H '([^']+)' -d '([^']+)'$/.exec(command) ?? []
  const [name = '', value = ''] = header.split(': ')
  return (await fetch(url, { method, headers: { [name]: value }, body })).text()
}
