/** The commands of `docs/identity/second-factors.md` add an app, sign in with it, and remove it; that of passkeys lists. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { AuthenticatorApp } from '../support/authenticator-app.ts'
import { TestClock } from '../support/clock.ts'
import { person, startService, type TestService } from '../support/service.ts'
import { fencedBlocks, readDocument } from './markdown.ts'

const page = readDocument('docs/identity/second-factors.md')
const blocks = fencedBlocks(page)
const commandsOf = (text: string): string[] =>
  fencedBlocks(text).flatMap((block) => (block.language === 'sh' ? [block.text] : []))

describe('the page on second factors', () => {
  const clock = new TestClock()
  let service: TestService
  before(async () => {
    service = await startService('sqlite', {}, { clock: clock.now })
    await service.host.post('/api/tenants', { id: 'acme', name: 'Acme', admin: person('boss') })
  })
  after(() => service.stop())

  const run = async (text: string, env: Record<string, string>): Promise<string> => {
    const command = text.replaceAll('localhost:3000', new URL(service.url).host)
    const options = { env: { ...process.env, ...env } }
    return (await promisify(execFile)('bash', ['-euc', command], options)).stdout
  }

  const headersIn = (reply: string): Record<string, string> =>
    Object.fromEntries(
      [...reply.matchAll(/^(x-mfa-\w+): (.+?)\r?$/gim)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        value,
      ]),
    )

  test('has commands that add an app, sign in, require a factor, and remove it', async () => {
    const { client: admin, accessToken: ADMIN_TOKEN } = await service.signIn('boss', 'acme')
    const { body: user } = await admin.post('/api/users', person('ada'))
    const { accessToken: TOKEN } = await service.signIn('ada', 'acme')
    const [begin = '', confirm = '', login = '', verify = '', enroll = '', confirmEnroll = '', reset = ''] =
      commandsOf(page)
    const [listPasskeys = ''] = commandsOf(readDocument('docs/identity/passkeys.md'))
    assert.deepEqual(JSON.parse(await run(listPasskeys, { TOKEN })), [])
    const begun = JSON.parse(await run(begin, { TOKEN }))
    const shown = JSON.parse(blocks.find(({ language }) => language === 'json')?.text ?? '')
    assert.deepEqual(Object.keys(begun), Object.keys(shown))
    assert.equal(begun.url.replaceAll(begun.secret, shown.secret), shown.url)
    const app = new AuthenticatorApp(begun.secret, clock)
    const confirmed = JSON.parse(await run(confirm, { TOKEN, CODE: app.code() }))
    assert.equal(confirmed.recoveryCodes.length, 10)
    const asked = await run(login, {})
    assert.match(asked, /^HTTP\/1.1 401/)
    const { 'x-mfa-token': MFA_TOKEN = '', 'x-mfa-methods': methods } = headersIn(asked)
    assert.equal(methods, 'totp,recovery')
    assert.ok(JSON.parse(await run(verify, { MFA_TOKEN, CODE: app.nextCode() })).accessToken)
    assert.equal(await run(reset, { ADMIN_TOKEN, ID: user.id }), '')
    await admin.put('/api/tenant/settings', { requireSecondFactor: true })
    const { 'x-mfa-token': token = '', 'x-mfa-methods': method } = headersIn(await run(login, {}))
    assert.equal(method, 'enroll')
    const enrolled = new AuthenticatorApp(JSON.parse(await run(enroll, { MFA_TOKEN: token })).secret, clock)
    const done = JSON.parse(await run(confirmEnroll, { MFA_TOKEN: token, CODE: enrolled.code() }))
    assert.deepEqual([done.user.id, done.recoveryCodes.length], [user.id, 10])
  })
})
