import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { keyIdOf } from '../support/key-id.ts'
import { tenantry } from '../support/process/command-line.ts'
import { Workplace } from '../support/process/workplace.ts'
import { startService, type TestService } from '../support/service.ts'

onEitherDatabase('Beside a running service the command line', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database)
  })
  after(() => service.stop())

  const run = (words: string[], input?: string) => tenantry(words, service, {}, input)

  /** @returns the status of a tenant's public data */
  const publicData = async (tenant: string) =>
    (await service.anonymous.get(`/api/products?tenant=${tenant}`)).status

  it('creates, lists and deactivates tenants, and the service heeds it soon', async () => {
    assert.equal(await publicData('acme'), 404)
    const created = await run('tenant create acme --name Acme --subdomain shop --plan pro'.split(' '))
    assert.deepEqual(outcomeOf(created), { code: 0, stdout: 'Tenant acme is created.\n', stderr: '' })
    await eventually('heeded', soonMs, async () => (await publicData('acme')) === 200)

    const listed = await run(['tenant', 'list'])
    assert.deepEqual(outcomeOf(listed), {
      code: 0,
      stdout: 'acme\tAcme\tshop\tactive\tshared\ndefault\tDefault\t-\tactive\tshared\n',
      stderr: '',
    })

    const deactivated = await run(['tenant', 'deactivate', 'acme'])
    assert.deepEqual(outcomeOf(deactivated), { code: 0, stdout: 'Tenant acme is deactivated.\n', stderr: '' })
    await eventually('heeded', soonMs, async () => (await publicData('acme')) === 404)
    assert.match((await run(['tenant', 'list'])).stdout, /^acme\tAcme\tshop\tinactive\tshared$/m)
  })

  // Names of today have no such characters; those that an earlier version has stored may.
  it('lists a tenant in one line, whatever it is called', async () => {
    await run(['tenant', 'create', 'odd', '--name', 'Odd'])
    const rename =
      "UPDATE tenant SET name = 'Odd' || chr(9) || 'name' || chr(10) || 'active' WHERE id = 'odd'"
    await inspect(
      service.config.databaseUrl,
      database === 'sqlite' ? rename.replaceAll('chr', 'char') : rename,
    )
    assert.match((await run(['tenant', 'list'])).stdout, /^odd\tOdd name active\t-\tactive\tshared$/m)
  })

  it('creates an administrator whose password comes from standard input', async () => {
    await run(['tenant', 'create', 'blue', '--name', 'Blue'])
    const words = 'user create-admin --username ada --email ada@example.com --tenant blue --last-name Byron'
    const { code, stdout, stderr } = await run(words.split(' '), 'Sesame@123\nnot this\n')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Administrator ada of blue is created: [0-9a-f-]{36}\n$/)
    const credentials = { userName: 'ada', password: 'Sesame@123' }
    const answer = await service.anonymous.post('/api/auth/login', credentials, { 'x-tenant-id': 'blue' })
    assert.equal(answer.status, 200, answer.text)
    const { id, ...user } = answer.body.user
    assert.deepEqual(user, {
      userName: 'ada',
      email: 'ada@example.com',
      firstName: 'ada',
      lastName: 'Byron',
      roles: ['Admin'],
      tenantId: 'blue',
    })
    const [audit] = await inspect(
      service.config.databaseUrl,
      `SELECT action, actor_name FROM audit WHERE subject_id = '${id}'`,
    )
    assert.deepEqual({ ...audit }, { action: 'user.created', actor_name: 'operator' })
  })

  it('rotates the keys at once: tokens from before stay good, new ones are signed with the new key', async () => {
    const signIn = async () => {
      const { body } = await service.anonymous.post('/api/auth/login', {
        userName: 'admin',
        password: 'Admin@123',
      })
      return { token: String(body.accessToken), key: keyIdOf(body.accessToken) }
    }
    const old = await signIn()
    const { code, stdout } = await run(['keys', 'rotate', '--now'])
    const [, key] = /^New tokens are signed with key (\S+)\.\n$/.exec(stdout) ?? []
    assert.equal(code, 0)
    await eventually('heeded', soonMs, async () => {
      const { body } = await service.anonymous.get('/.well-known/jwks.json')
      return body.keys.some(({ kid }: { kid: string }) => kid === key)
    })
    const fresh = await signIn()
    assert.equal(fresh.key, key)
    assert.notEqual(old.key, key)
    for (const { token } of [old, fresh]) {
      assert.equal((await service.anonymous.withToken(token).get('/api/auth/me')).status, 200)
    }
  })
})

describe('The command line', () => {
  const place = new Workplace()
  before(() =>
    place.run(['user', 'create-admin', '--username', 'admin', '--email', 'a@example.com'], {
      input: 'Admin@123\n',
    }),
  )
  after(() => place[Symbol.asyncDispose]())

  const refused: [call: string, input: string, complaint: string][] = [
    ['tenant create default --name Mine', '', 'id: is taken by another tenant'],
    ['tenant create ../up --name Up', '', 'id: must match pattern "^[A-Za-z0-9][A-Za-z0-9._-]*$"'],
    [
      'tenant create other --name Other --connection-string mysql://db',
      '',
      'connectionString: must be postgres://…, sqlite:name.db, or Host=…;Port=…;Database=…;Username=…;Password=…',
    ],
    ['tenant deactivate nobody', '', 'There is no such tenant.'],
    ['tenant deactivate default', '', 'The host tenant cannot be deactivated.'],
    [
      'user create-admin --username admin --email b@example.com',
      'Admin@123',
      'userName: is taken by another user',
    ],
    [
      'user create-admin --username x --email nobody',
      'Admin@123',
      'userName: must not have fewer than 3 characters; email: must be an address that mails can be sent to',
    ],
    [
      'user create-admin --username bob --email b@example.com',
      'weak',
      'password: must not have fewer than 8 characters',
    ],
    [
      'user create-admin --username bob --email b@example.com --tenant nowhere',
      'Admin@123',
      'There is no tenant nowhere. See tenantry --help.',
    ],
  ]
  for (const [call, input, complaint] of refused) {
    it(`says in one line why not: ${call}`, async () => {
      const { code, stdout, stderr } = await place.run(call.split(' '), { input: `${input}\n` })
      assert.deepEqual({ stdout, stderr }, { stdout: '', stderr: `tenantry: ${complaint}\n` })
      assert.ok(code === 1 || code === 2)
    })
  }
})

function outcomeOf({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) {
  return { code, stdout, stderr }
}
