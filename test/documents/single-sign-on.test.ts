/** The commands of `docs/identity/single-sign-on.md` lead from nothing to a sign-in and a sign-out at a real provider. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Browser } from '../identity/single-sign-on/browser.ts'
import { clientSecret, type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { type NameServer, startNameServer } from '../support/name-server.ts'
import { startService, type TestService } from '../support/service.ts'
import { anchorsOf, fencedBlocks, linkTargets, readDocument } from './markdown.ts'

const page = readDocument('docs/identity/single-sign-on.md')
// Commands of a step are indented like its text.
const commands = fencedBlocks(page.replaceAll(/^ {3}/gm, '')).flatMap(({ language, text }) =>
  language === 'sh' ? [text] : [],
)
const baseUrl = 'http://app.localhost'

describe('the page on single sign-on', () => {
  const records = new Map<string, string[]>()
  let names: NameServer
  let service: TestService
  let provider: IdentityProvider
  before(async () => {
    names = await startNameServer(({ name }) => records.get(name) ?? 'missing')
    const options = { receivers: { nameServers: [names.address] } }
    service = await startService('sqlite', { BASE_URL: baseUrl }, options)
    provider = await startIdentityProvider(baseUrl)
  })
  after(async () => {
    await provider.close()
    await service.stop()
    names.close()
  })

  const run = async (text: string, env: Record<string, string> = {}): Promise<string> => {
    const command = text
      .replaceAll('localhost:3000', new URL(service.url).host)
      .replaceAll('https://login.example.com', provider.issuer)
    const options = { env: { ...process.env, ...env } }
    return (await promisify(execFile)('bash', ['-euc', command], options)).stdout
  }

  test('has commands that set it up from nothing, sign in, and sign out', async () => {
    const [newTenant = '', signIn = '', set = '', addDomain = '', verify = '', begin = '', ...rest] = commands
    const [exchange = '', signOut = ''] = rest
    const { accessToken: HOST_TOKEN } = await service.signIn('admin')
    assert.equal(JSON.parse(await run(newTenant, { HOST_TOKEN })).id, 'acme')
    const { accessToken: TOKEN } = JSON.parse(await run(signIn))
    const configured = JSON.parse(await run(set, { TOKEN, CLIENT_SECRET: clientSecret }))
    const addresses = [
      configured.redirectUri,
      configured.signOutRedirectUri,
      configured.logoutUri,
      configured.jwksUri,
    ]
    const shown = [...page.matchAll(/`<BASE_URL>(\S+)`/g)].map(([, path = '']) =>
      path.replace('<tenant>', 'acme'),
    )
    assert.deepEqual(
      addresses,
      shown.map((path) => `${baseUrl}${path}`),
    )
    const { recordName, recordValue } = JSON.parse(await run(addDomain, { TOKEN }))
    records.set(recordName, [recordValue])
    assert.equal(JSON.parse(await run(verify, { TOKEN })).isVerified, true)

    const [start = '', VERIFIER = ''] = (await run(`${begin}\necho "$VERIFIER"`)).trim().split('\n')
    provider.users.set('ada', { email: 'ada@acme.example', email_verified: true, preferred_username: 'ada' })
    provider.next = 'ada'
    const browser = new Browser({ [baseUrl]: service.url })
    const returned = await browser.follow(start, `${baseUrl}/health/live`)
    const CODE = returned.searchParams.get('sign_in_code') ?? ''
    const session = JSON.parse(await run(exchange, { CODE, VERIFIER }))
    assert.deepEqual([session.user.userName, session.user.tenantId], ['ada', 'acme'])

    const signedOut = JSON.parse(await run(signOut, { TOKEN: session.accessToken }))
    assert.equal(new URL(signedOut.url).origin, provider.issuer)
    const client = service.anonymous.withToken(session.accessToken)
    assert.equal((await client.get('/api/auth/me')).status, 401)
  })

  test('has a section for each provider that the set-up names', () => {
    const own = linkTargets(page).flatMap((target) => (target.startsWith('#') ? [target.slice(1)] : []))
    for (const name of ['google-workspace', 'entra-id', 'okta', 'keycloak']) {
      assert.ok(own.includes(name), name)
      assert.ok(anchorsOf(page).includes(name), name)
    }
  })
})
