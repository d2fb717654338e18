/** Passwords that nobody may choose: common ones, names, and those that a service of breached passwords knows. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { isCommonPassword } from '../../../src/identity/password/common-passwords.ts'
import { createService } from '../../../src/service/service.ts'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { type Answer, Client } from '../../support/client.ts'
import { emptyDatabase } from '../../support/database/empty-database.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import {
  password,
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../support/service.ts'
import { readFigure } from '../sign-in-flood.ts'

/** Each conforms to the rule of characters. */
const common = ['Password1!', '!!PASSWORd1!', 'P@ssw0rd', '*Qwerty123*', '1qaz@WSX', 'Welcome1#']
const breached = 'Correct-Horse-7'

onEitherDatabase('A password that is set', (database) => {
  const mails = new CollectedMails()
  let ranges: RangeServer
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    ranges = await startRanges()
    service = await startService(
      database,
      { PASSWORD_RANGE_URL: `${ranges.url}/range/` },
      { mailTransport: mails },
    )
    tenant = await service.newTenant({ name: 'Orchard1' })
  })
  after(async () => {
    await service.stop()
    ranges.server.close()
  })

  const tokenOfMail = async (to: string): Promise<string> => {
    const sent = () => mails.list().filter((mail) => mail.to === to)
    await eventually('the mail', soonMs, async () => sent().length > 0)
    return mailedToken(sent().at(-1)?.text)
  }
  const anonymously = (path: string, body: object): Promise<Answer> =>
    service.anonymous.post(path, body, { ...fromAnyAddress(), 'x-tenant-id': tenant.id })
  const newUser = async () => {
    const made = await tenant.admin.post('/api/users', person(uniqueName('ada')))
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  /** Every place where a password is set, and the member that has it. */
  const places: Record<
    string,
    [member: string, prepare: () => Promise<(password: string) => Promise<Answer>>]
  > = {
    'a new user': [
      'password',
      async () => (chosen) =>
        tenant.admin.post('/api/users', person(uniqueName('new'), { password: chosen })),
    ],
    'a user of an administrator': [
      'password',
      async () => {
        const { id } = await newUser()
        return (chosen) => tenant.admin.put(`/api/users/${id}`, { password: chosen })
      },
    ],
    'one’s own': [
      'newPassword',
      async () => {
        const { userName } = await newUser()
        const { client } = await service.signIn(userName, tenant.id)
        return (newPassword) =>
          client.put('/api/users/me/password', { currentPassword: password, newPassword })
      },
    ],
    'a forgotten one': [
      'password',
      async () => {
        const { userName, email } = await newUser()
        assert.equal((await anonymously('/api/auth/forgot-password', { userName })).status, 202)
        const token = await tokenOfMail(email)
        return (chosen) => anonymously('/api/auth/reset-password', { token, password: chosen })
      },
    ],
    'an invitation': [
      'password',
      async () => {
        const email = `${uniqueName('guest')}@example.com`
        assert.equal((await tenant.admin.post('/api/invitations', { email })).status, 201)
        const token = await tokenOfMail(email)
        const { email: _email, ...input } = person(uniqueName('new'))
        return (chosen) => anonymously('/api/invitations/accept', { ...input, token, password: chosen })
      },
    ],
    'the administrator of a tenant': [
      'admin.password',
      async () => (chosen) => {
        const id = uniqueName('tenant')
        return service.host.post('/api/tenants', {
          id,
          name: id,
          admin: person('boss', { password: chosen }),
        })
      },
    ],
  }

  for (const [place, [member, prepare]] of Object.entries(places)) {
    it(`of ${place} is neither common nor breached`, async () => {
      const set = await prepare()
      for (const chosen of ['Password1!', breached]) {
        const { status, text } = await set(chosen)
        assert.equal(status, 400, text)
        assert.match(
          text,
          new RegExp(`${member}: is (one of the most common|in a list of breached) passwords`),
        )
      }
      const accepted = await set('Orchid-Lantern-58')
      assert.ok(accepted.status < 300, accepted.text)
    })
  }

  it('of the first administrator is neither', async () => {
    const empty = await emptyDatabase(database)
    const first = await createService({ ...empty.config, passwordRangeUrl: ranges.url }, { log: empty.log })
    try {
      const client = new Client(await first.start())
      const set = (chosen: string) =>
        client.post('/api/init/first-admin', person('admin', { password: chosen }))
      for (const chosen of ['Password1!', breached]) assert.equal((await set(chosen)).status, 400)
      assert.equal((await set(password)).status, 200)
    } finally {
      await first.stop()
      await empty.drop()
    }
  })

  it('is refused in any case and with other characters at its ends', async () => {
    for (const chosen of common) {
      const { status, body } = await tenant.admin.post(
        '/api/users',
        person(uniqueName('new'), { password: chosen }),
      )
      assert.deepEqual([chosen, status], [chosen, 400])
      assert.deepEqual(body, { message: 'password: is one of the most common passwords' })
    }
  })

  it('is no name of the user or the tenant', async () => {
    const named = { userName: 'Ada.Lovelace1', email: 'Countess.Ada7@example.com' }
    for (const chosen of [
      'Ada.Lovelace1',
      '#aDA.LOVELACE1#',
      'Countess.Ada7',
      'countess.ada7@Example.com',
      'Orchard1!',
    ]) {
      const { status, body } = await tenant.admin.post(
        '/api/users',
        person('x', { ...named, password: chosen }),
      )
      assert.deepEqual([chosen, status], [chosen, 400])
      assert.equal(body.message, 'password: must not be a name of the user or the tenant')
    }
  })

  it('is not the invited address', async () => {
    const name = uniqueName('Guest')
    const email = `${name}@example.com`
    assert.equal((await tenant.admin.post('/api/invitations', { email })).status, 201)
    const token = await tokenOfMail(email)
    const input = { userName: uniqueName('new'), firstName: 'Ada', lastName: 'Lovelace', token }
    const { status, body } = await anonymously('/api/invitations/accept', { ...input, password: `#${name}#` })
    assert.equal(status, 400)
    assert.equal(body.message, 'password: must not be a name of the user or the tenant')
  })

  it('is accepted as the examples have it', async () => {
    for (const chosen of ['Admin@123', 'Test@12345', 'Forgotten@789', 'Other@456'])
      assert.equal(
        (await tenant.admin.post('/api/users', person(uniqueName('new'), { password: chosen }))).status,
        201,
      )
  })

  it('is never sent: the service gets five digits, and pads its answer', async () => {
    ranges.asked.length = 0
    await tenant.admin.post('/api/users', person(uniqueName('new'), { password: 'Padded-Word-9' }))
    const [request] = ranges.asked
    assert.equal(ranges.asked.length, 1)
    assert.equal(request?.url, `/range/${sha1('Padded-Word-9').slice(0, 5)}`)
    assert.equal(request?.headers['add-padding'], 'true')
    assert.equal(request?.headers.authorization, undefined)
  })

  const failures: Record<string, (response: ServerResponse) => void> = {
    'an error': (response) => void response.writeHead(503).end('Password1!'),
    'a redirection': (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    'too long an answer': (response) => void response.end('A'.repeat(300 * 1024)),
    'a broken connection': (response) => void response.socket?.destroy(),
  }
  for (const [what, answer] of Object.entries(failures)) {
    it(`is accepted while the service answers with ${what}, which a metric counts`, async () => {
      const counted = () =>
        readFigure(service, 'password_range_checks_total{outcome="failed"}').catch(() => 0)
      const earlier = await counted()
      ranges.answer = answer
      const { status } = await tenant.admin.post(
        '/api/users',
        person(uniqueName('new'), { password: breached }),
      )
      ranges.answer = null
      assert.equal(status, 201)
      assert.equal((await counted()) - earlier, 1)
    })
  }
})

it('The list has common passwords, and no others', () => {
  for (const chosen of ['123456', 'password', 'qwerty', 'iloveyou', 'p@ssw0rd'])
    assert.ok(isCommonPassword(chosen), chosen)
  for (let count = 0; count < 10_000; count++) assert.equal(isCommonPassword(`not-common-${count}`), false)
})

interface RangeServer {
  url: string
  server: Server
  asked: IncomingMessage[]
  /** In place of the usual answer. */
  answer: ((response: ServerResponse) => void) | null
}

async function startRanges(): Promise<RangeServer> {
  const server = createServer((request, response) => {
    running.asked.push(request)
    if (running.answer !== null) return running.answer(response)
    const [prefix, rest] = [sha1(breached).slice(0, 5), sha1(breached).slice(5)]
    const padding = sha1('Padded-Word-9').slice(5)
    const known = request.url?.endsWith(prefix) === true ? [`${rest}:42`] : []
    response.end(['0018A45C4D1DEF81644B54AB7F969B88D65:10', ...known, `${padding}:0`].join('\r\n'))
  })
  const running: RangeServer = { url: '', server, asked: [], answer: null }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  return running
}

function sha1(text: string): string {
  return hash('sha1', text).toUpperCase()
}
