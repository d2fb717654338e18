/** The commands of the pages on sign-up, addresses, invitations and forgotten passwords, with the tokens of the mails. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { CollectedMails } from '../../src/testing/collected-mails.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { mailedToken } from '../support/mailed-token.ts'
import { person, startService, type TestService } from '../support/service.ts'
import { fencedBlocks, readDocument } from './markdown.ts'

const blocksOf = (name: string) => {
  // Commands of a step are indented like its text.
  const page = readDocument(`docs/identity/${name}.md`).replaceAll(/^ {3}/gm, '')
  return fencedBlocks(page)
}

const commandsOf = (name: string): string[] =>
  blocksOf(name).flatMap(({ language, text }) => (language === 'sh' ? [text] : []))

describe('the commands of the pages on', () => {
  const mails = new CollectedMails()
  let service: TestService
  let approving: TestService
  before(async () => {
    service = await startService('sqlite', { SIGN_UP: 'open' }, { mailTransport: mails })
    approving = await startService('sqlite', { SIGN_UP: 'approval' }, { mailTransport: mails })
    await service.host.post('/api/tenants', { id: 'acme', name: 'Acme', admin: person('boss') })
    const { client } = await service.signIn('boss', 'acme')
    await client.post('/api/users', person('ada'))
  })
  after(async () => {
    await service.stop()
    await approving.stop()
  })

  const run = async (text: string, env: Record<string, string> = {}, at = service): Promise<string> => {
    // Each command comes from an address of its own, so that the sign-in limit does not count them together.
    const from = `-H 'X-Forwarded-For: 10.2.0.${++commands}'`
    const command = text.replaceAll('localhost:3000', new URL(at.url).host).replace(/^curl/, `curl ${from}`)
    return (await promisify(execFile)('bash', ['-euc', command], { env: { ...process.env, ...env } })).stdout
  }
  let commands = 0

  /** @returns the token of the newest mail */
  const tokenTo = async (email: string, template: string): Promise<string> => {
    const sent = () => mails.list().filter((mail) => mail.to === email && mail.template === template)
    await eventually('the mail', soonMs, async () => sent().length > 0)
    return mailedToken(sent().at(-1)?.text)
  }

  test('sign-up create a tenant and sign its administrator in', async () => {
    const [request = '', complete = '', signIn = ''] = commandsOf('sign-up')
    assert.ok(JSON.parse(await run(request)).message)
    const SIGN_UP_TOKEN = await tokenTo('ada@example.com', 'account.signUp')
    const shown = blocksOf('sign-up').find(({ language }) => language === 'json')
    const origin = new URL(service.config.baseUrl).host // its port is that of the settings
    assert.equal(await run(complete, { SIGN_UP_TOKEN }), shown?.text.trim().replace('localhost:3000', origin))
    const { user } = JSON.parse(await run(signIn))
    assert.deepEqual([user.tenantId, user.roles], ['engines', ['Admin']])
  })

  test('sign-up approve one and reject another', async () => {
    const [request = '', complete = '', , list = '', approve = '', reject = ''] = commandsOf('sign-up')
    for (const email of ['ada@example.com', 'grace@example.com']) {
      await run(request.replace('ada@example.com', email), {}, approving)
      await approving.service.queueWorkers.drain()
      const SIGN_UP_TOKEN = await tokenTo(email, 'account.signUp')
      const completed = JSON.parse(await run(complete, { SIGN_UP_TOKEN }, approving))
      assert.deepEqual([completed.status, completed.tenantId], ['WAITING', null])
    }
    const { accessToken: TOKEN } = await approving.signIn('admin')
    const [one, other] = JSON.parse(await run(list, { TOKEN }, approving))
    assert.equal(JSON.parse(await run(approve, { TOKEN, ID: one.id }, approving)).id, 'engines')
    assert.equal(await run(reject, { TOKEN, OTHER_ID: other.id }, approving), '')
    assert.deepEqual(JSON.parse(await run(list, { TOKEN }, approving)), [])
  })

  test('addresses change one', async () => {
    const [change = '', verify = '', me = ''] = commandsOf('email-addresses')
    const { accessToken: TOKEN } = await service.signIn('ada', 'acme')
    await run(change, { TOKEN })
    const email = 'ada.lovelace@example.com'
    await run(verify, { VERIFY_TOKEN: await tokenTo(email, 'account.verifyEmail') })
    const user = JSON.parse(await run(me, { TOKEN }))
    assert.deepEqual([user.email, user.emailVerified], [email, true])
  })

  test('invitations make a user', async () => {
    const [invite = '', accept = ''] = commandsOf('invitations')
    const { accessToken: TOKEN } = await service.signIn('boss', 'acme')
    await run(invite, { TOKEN })
    const INVITATION_TOKEN = await tokenTo('grace@example.com', 'account.invitation')
    const user = JSON.parse(await run(accept, { INVITATION_TOKEN }))
    assert.deepEqual([user.userName, user.email], ['grace', 'grace@example.com'])
    await service.signIn('grace', 'acme', 'Invited@789')
  })

  test('forgotten passwords set a new one', async () => {
    const { client } = await service.signIn('boss', 'acme')
    await client.post('/api/users', person('lovelace', { email: 'lovelace@example.com' }))
    const [forget = '', reset = ''] = commandsOf('recovery')
    await run(forget.replace('ada@example.com', 'lovelace@example.com'))
    const RESET_TOKEN = await tokenTo('lovelace@example.com', 'account.resetPassword')
    assert.ok(JSON.parse(await run(reset, { RESET_TOKEN })).message)
    await service.signIn('lovelace', 'acme', 'Forgotten@789')
    const [, , start = ''] = commandsOf('recovery')
    const { accessToken: TOKEN, client: boss } = await service.signIn('boss', 'acme')
    const { body: user } = await boss.get('/api/users/by-username/lovelace')
    assert.ok(JSON.parse(await run(start, { TOKEN, ID: user.id })).message)
    const again = () => tokenTo('lovelace@example.com', 'account.resetPassword')
    await eventually('another mail', soonMs, async () => (await again()) !== RESET_TOKEN)
  })
})
