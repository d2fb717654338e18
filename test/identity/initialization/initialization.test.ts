import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { defaultPasswordCost } from '../../../src/identity/password/argon2.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import { Client } from '../../support/client.ts'
import { type EmptyDatabase, emptyDatabase } from '../../support/database/empty-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { password, person } from '../../support/service.ts'

const firstAdmin = '/api/init/first-admin'
const status = '/api/init/status'

onEitherDatabase('Initialization', (database) => {
  let empty: EmptyDatabase
  let service: Service
  let client: Client

  before(async () => {
    empty = await emptyDatabase(database)
    service = await createService(empty.config, { log: empty.log })
    client = new Client(await service.start())
  })
  after(async () => {
    await service.stop()
    await empty.drop()
  })

  it('says that there is no user yet', async () => {
    const answer = await client.get(status)
    assert.equal(answer.status, 200)
    const { message } = answer.body
    assert.match(message, /first-admin/)
    assert.deepEqual(answer.body, {
      needsInitialization: true,
      needsSetupToken: false,
      userCount: 0,
      message,
    })
  })

  const members = ['userName', 'email', 'password', 'firstName', 'lastName']
  for (const member of members) {
    it(`refuses a first administrator without ${member}, and names it`, async () => {
      const { [member]: _left, ...rest } = person('admin')
      await refuses(rest, [member])
    })
    it(`refuses a ${member} that is no text, and names it`, async () => {
      await refuses(person('admin', { [member]: 7 }), [member])
    })
  }

  it('names every fault at once', () => refuses({}, members))

  const faults: [string, string, unknown][] = [
    ['a user name of 2 characters', 'userName', 'ab'],
    ['a user name of 51 characters', 'userName', 'a'.repeat(51)],
    ['a user name with a blank', 'userName', 'ada lovelace'],
    ['a user name with a slash', 'userName', '../admin'],
    ['an email without @', 'email', 'ada.example.com'],
    ['an email of 257 characters', 'email', `${'a'.repeat(245)}@example.com`],
    ['a blank first name', 'firstName', '   '],
    ['a last name of 101 characters', 'lastName', 'x'.repeat(101)],
    ['a last name with a null character', 'lastName', 'Love\0lace'],
    ['a first name that is null', 'firstName', null],
    ['a password of 7 characters', 'password', 'Admin@1'],
    ['a password of 129 characters', 'password', `Aa1@${'x'.repeat(125)}`],
    ['a password without an upper-case letter', 'password', 'admin@123'],
    ['a password without a lower-case letter', 'password', 'ADMIN@123'],
    ['a password without a digit', 'password', 'Admin@abc'],
    ['a password of letters and digits only', 'password', 'Admin1234'],
  ]
  for (const [title, member, value] of faults) {
    it(`refuses ${title}`, () => refuses(person('admin', { [member]: value }), [member]))
  }

  it('refuses a body that is no object', async () => {
    for (const body of ['[]', '"admin"', '7', 'null']) {
      assert.equal((await client.post(firstAdmin, body)).status, 400, body)
    }
  })

  it('still needs it after all that was refused', async () => {
    assert.equal((await client.get(status)).body.userCount, 0)
  })

  it('makes the first administrator, of the host tenant, and signs in with it', async () => {
    const answer = await client.post(firstAdmin, person('admin', { firstName: ' Ada ', unknown: 1 }))
    assert.equal(answer.status, 200)
    const { user, message } = answer.body
    assert.deepEqual(answer.body, { user, message })
    const email = 'admin@example.com'
    assert.deepEqual(user, { id: user.id, userName: 'admin', email, firstName: 'Ada', lastName: 'Lovelace' })
    assert.match(user.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const signedIn = await client.post('/api/auth/login', { userName: 'admin', password })
    assert.deepEqual(signedIn.body.user.roles, ['Admin'])
    assert.equal(signedIn.body.user.tenantId, 'default')
    const [row] = await inspect(empty.config.databaseUrl, 'SELECT password_hash FROM account')
    const { memory, passes } = defaultPasswordCost
    assert.match(
      String(row?.['password_hash']),
      new RegExp(`^\\$argon2id\\$v=19\\$m=${memory},t=${passes},p=1\\$`),
    )
  })

  it('says afterwards that it is done', async () => {
    const { body } = await client.get(status)
    assert.deepEqual(body, {
      needsInitialization: false,
      needsSetupToken: false,
      userCount: 1,
      message: body.message,
    })
  })

  it('works once only', async () => {
    const again = await client.post(firstAdmin, person('second'))
    assert.equal(again.status, 400)
    assert.deepEqual(Object.keys(again.body), ['message'])
    const rows = await inspect(empty.config.databaseUrl, 'SELECT user_name FROM account')
    assert.deepEqual(
      rows.map(({ user_name }) => user_name),
      ['admin'],
    )
  })

  async function refuses(body: unknown, named: string[]): Promise<void> {
    const answer = await client.post(firstAdmin, body)
    assert.equal(answer.status, 400)
    assert.deepEqual(Object.keys(answer.body), ['message'])
    for (const member of named) assert.match(answer.body.message, new RegExp(`\\b${member}:`))
  }
})
