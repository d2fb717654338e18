/** Strangers at the return from a provider: what they take, and what they write. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

onEitherDatabase('A flood of returns from a provider', (database) => {
  const clock = new TestClock()
  let server: Server
  let service: TestService
  let tenant: TestTenant
  /** Exchanges of codes that the provider was asked for. */
  let asked = 0
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const { promise: keysAnswered, resolve: answerKeys } = Promise.withResolvers<void>()
  before(async () => {
    service = await startService(database, { TRUST_PROXY: 'loopback' }, { clock: clock.now })
    tenant = await service.newTenant()
    server = createServer(async (request, response) => {
      const issuer = `http://${request.headers.host}`
      if (request.url === '/token') {
        asked++
        let body = ''
        for await (const chunk of request) body += chunk
        if (body.includes('slow')) await answered
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
      } else if (request.url === '/keys') {
        await keysAnswered
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}')
      } else {
        const metadata = {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
    const set = await tenant.admin.put('/api/tenant/sso', { issuer, clientId: 'c', clientSecret: 's' })
    assert.equal(set.status, 200, set.text)
  })
  after(async () => {
    answer()
    answerKeys()
    await service.stop()
    server.closeAllConnections()
    server.close()
  })

  const from = (address: string) => ({ 'x-forwarded-for': address })

  async function newState(): Promise<string> {
    const query = new URLSearchParams({ returnTo: '/account/sso', codeChallenge })
    const { headers, text } = await service.anonymous.get(`/api/auth/sso/${tenant.id}/start?${query}`)
    return new URL(headers.get('location') ?? text).searchParams.get('state') ?? ''
  }

  const comeBack = (address: string, members: Record<string, string>) =>
    service.anonymous.get(`/api/auth/sso/callback?${new URLSearchParams(members)}`, from(address))

  const signOut = (address: string) => {
    const form = { ...from(address), 'content-type': 'application/x-www-form-urlencoded' }
    const header = Buffer.from('{"alg":"ES256","kid":"one"}').toString('base64url')
    const body = `logout_token=${header}.e30.${'x'.repeat(86)}`
    return service.anonymous.post(`/api/auth/sso/${tenant.id}/backchannel-logout`, body, form)
  }

  const refusals = async () => {
    const sql = `SELECT detail FROM audit WHERE tenant_id = '${tenant.id}' AND action = 'sso.refused' ORDER BY id`
    return (await inspect(service.config.databaseUrl, sql)).map(({ detail }) => String(detail))
  }

  it('writes a row in a minute, without a text of the caller', async () => {
    const state = await newState()
    for (let number = 0; number < 20; number++) {
      const { status } = await comeBack('10.0.0.1', { state, error: `<b>locked</b> ${number}` })
      assert.equal(status, 303)
    }
    assert.deepEqual(await refusals(), ['{"reason":"another error"}'])
    clock.advance({ minutes: 1 })
    await comeBack('10.0.0.1', { state, error: 'access_denied' })
    await comeBack('10.0.0.1', { state, error: 'access_denied' })
    assert.deepEqual((await refusals()).slice(1), ['{"reason":"access_denied"}'])
  })

  it('exchanges a code with a state once', async () => {
    const state = await newState()
    const earlier = asked
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, number) => comeBack('10.0.0.2', { state, code: `code ${number}` })),
    )
    assert.equal(asked - earlier, 1)
    assert.equal(answers.filter(({ status }) => status === 303).length, 1)
    for (const each of answers.filter(({ status }) => status !== 303))
      assertError(each, 400, 'state: was used: begin the sign-in again')
  })

  it('from one network leaves room for the others', async () => {
    const states = await Promise.all(Array.from({ length: 16 }, newState))
    const earlier = asked
    const flood = states.map((state) => comeBack('10.0.0.3', { state, code: 'slow' }))
    await eventually('all places of the network are taken', soonMs, async () => asked - earlier === 8)
    const another = await newState()
    assertError(await comeBack('10.0.0.3', { state: another, code: 'quick' }), 429)
    for (let number = 0; number < 20; number++) {
      const honest = await comeBack(`10.1.0.${number}`, { state: await newState(), code: 'quick' })
      assert.equal(honest.status, 303, honest.text)
    }
    answer()
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [...Array(8).fill(303), ...Array(8).fill(429)])
    assert.equal((await comeBack('10.0.0.3', { state: another, code: 'quick' })).status, 303)
  })

  it('is counted by network, before anything is read for it', async () => {
    clock.advance({ seconds: 60 - clock.now().getSeconds() }) // one minute, and one row
    const earlier = await refusals()
    const state = await newState()
    const back = (address: string) => comeBack(address, { state, error: 'login_required' })
    const flood = await Promise.all(Array.from({ length: 110 }, () => back('10.0.0.5')))
    const refused = flood.filter(({ status }) => status === 429)
    assert.ok(refused.length > 0 && refused.length <= 10)
    assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0)
    assert.equal((await back('10.0.0.6')).status, 303)
    assert.deepEqual((await refusals()).slice(earlier.length), ['{"reason":"login_required"}'])
  })

  it('leaves room for sign-outs by the provider, which comes from another network', async () => {
    let refused = 0
    const flood = Array.from({ length: 70 }, () =>
      signOut('10.0.0.7').then(({ status }) => {
        if (status === 429) refused++
      }),
    )
    await eventually('the network has all that it may have', soonMs, async () => refused === 70 - 32)
    const honest = signOut('10.0.0.8')
    answerKeys()
    assertError(await honest, 400, 'The logout token is not accepted.')
    await Promise.all(flood)
  })
})
