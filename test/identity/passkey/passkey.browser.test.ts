/** Chromium makes a passkey and signs in with it, by the code that `docs/identity/passkeys.md` shows. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { fencedBlocks, readDocument } from '../../documents/markdown.ts'
import { openPage } from '../../support/browser.ts'
import { inBrowser } from '../../support/console.ts'
import { person } from '../../support/service.ts'
import { addAuthenticator } from '../../support/virtual-authenticator.ts'

const [add = '', signIn = ''] = fencedBlocks(readDocument('docs/identity/passkeys.md'))
  .filter(({ language }) => language === 'js')
  .map(({ text }) => text)

inBrowser('A passkey in a browser', (scene) => {
  it('is made, and signs in without a password and after one', async () => {
    const { service } = scene
    const { id: tenant } = await service.newTenant()
    const { client: boss } = await service.signIn('boss', tenant)
    const { body: user } = await boss.post('/api/users', person('ada'))
    const { accessToken: token, client } = await service.signIn('ada', tenant)
    const { page, faults } = await openPage(scene.browser, `${service.url}/console`)
    await addAuthenticator(page)
    await page.evaluate(withoutToJson)
    const added = await run(page, add, 'added', { token })
    assert.equal(added.recoveryCodes.length, 10, JSON.stringify(added))
    const session = await run(page, signIn, 'session', { tenant })
    assert.equal(session.user.id, user.id)
    const login = await service.anonymous.post(
      '/api/auth/login',
      { userName: 'ada', password: 'Admin@123' },
      { 'x-tenant-id': tenant },
    )
    const mfaToken = login.headers.get('x-mfa-token') ?? ''
    const second = signIn
      .replace("request-options', {}", "request-options', { token: mfaToken }")
      .replace("sign-in', { response }", "sign-in', { token: mfaToken, response }")
    assert.equal((await run(page, second, 'session', { tenant, mfaToken })).user.id, user.id)
    const methods = (await client.get('/api/auth/sessions')).body.map(
      (each: { methods: string[] }) => each.methods,
    )
    assert.deepEqual(methods.toSorted(), [['passkey'], ['pwd'], ['pwd', 'passkey']])
    assert.deepEqual(faults, [])
  })
})

/** As with some password managers. */
const withoutToJson = 'PublicKeyCredential.prototype.toJSON = () => { throw new TypeError("no browser") }'

/** Runs the code with these variables. @returns the value of `result` */
function run(page: Page, code: string, result: string, values: Record<string, string>) {
  const constants = Object.entries(values).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`)
  return page.evaluate(`(async () => { ${constants.join('\n')}\n${code}\nreturn ${result} })()`) as Promise<
    // biome-ignore lint/suspicious/noExplicitAny: replies of several shapes
    any
  >
}
