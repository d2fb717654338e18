/** A service below a path: all addresses that it gives lead to it, whether a proxy passes the path on or takes it off. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { CollectedMails } from '../../src/testing/collected-mails.ts'
import { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { RawSocket } from '../support/graphql/raw-socket.ts'
import { fromAnyAddress } from '../support/http/forwarded.ts'
import {
  password,
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../support/service.ts'

const baseUrl = 'https://example.com/shop/backend'
const path = '/shop/backend'
const html = { accept: 'text/html' }

onEitherDatabase('A service whose BASE_URL has a path', (database) => {
  const mails = new CollectedMails()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    const settings = { BASE_URL: `${baseUrl}/`, SIGN_UP: 'open', CORS_ORIGINS: '*,https://shop.example' }
    service = await startService(database, settings, { mailTransport: mails })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  /** As a proxy passes it on. @param address below the base address @returns the path at the service */
  function received(address: string): string {
    assert.ok(address === baseUrl || new RegExp(`^${baseUrl}[/?#]`).test(address), address)
    return address.slice('https://example.com'.length)
  }

  /** Both with the path, and as a proxy has taken it off. */
  async function resolves(address: string, caller = service.anonymous, status = 200): Promise<string> {
    const [given = ''] = received(address).split('#')
    const passedOn = await caller.get(given, html)
    const stripped = await caller.get(given.slice(path.length) || '/', html)
    assert.deepEqual([passedOn.status, stripped.status], [status, status], address)
    return passedOn.text
  }

  /** @param text of the page at the address @returns the addresses that it names */
  function addressesIn(text: string, address: string): string[] {
    const found = [...text.matchAll(/ (?:href|src|action|data-options)="([^"]+)"/g)].map(
      ([, named = '']) => named,
    )
    return found
      .filter((named) => !named.startsWith('data:'))
      .map((named) => new URL(named.replaceAll('&amp;', '&'), address).href)
  }

  /** The page, and all that it names. */
  async function resolvesAll(address: string, ...more: string[]): Promise<void> {
    const text = await resolves(address)
    for (const each of [...addressesIn(text, address), ...more]) {
      if (each.startsWith(baseUrl) && !each.includes('/api/')) await resolves(each)
      else received(each)
    }
  }

  it('answers at its addresses, and at no other that begins like them', async () => {
    for (const each of ['/health/live', '/api/init/status', '/metrics']) await resolves(`${baseUrl}${each}`)
    for (const each of ['/shop/backends/health/live', '/shop/health/live', `${path}health/live`])
      assert.equal((await service.anonymous.get(each)).status, 404, each)
    assert.equal((await service.anonymous.post(`${path}/health/live`)).status, 405)
  })

  it('names rows, next pages and faults by addresses below it', async () => {
    const made = await tenant.admin.post('/api/products', { name: 'Desk', price: 1 })
    await resolves(`https://example.com${made.headers.get('location')}`, tenant.admin)
    await tenant.admin.post(`${path}/api/products`, { name: 'Chair', price: 1 })
    const { headers } = await tenant.admin.get('/api/products?limit=1')
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
    await resolves(`https://example.com${next}`, tenant.admin)
    const order = await tenant.admin.post('/api/orders', {
      customerId: 'c',
      items: [{ productId: made.body.id, quantity: 1 }],
    })
    await resolves(`https://example.com${order.headers.get('location')}`, tenant.admin)
    for (const each of ['/api/nowhere', `${path}/api/nowhere`]) {
      const fault = await tenant.admin.get(each, { accept: 'application/problem+json' })
      assert.equal(fault.body.instance, `${path}/api/nowhere`)
    }
  })

  it('gives files, portals and documents addresses below it', async () => {
    const stored = await tenant.admin.send('POST', '/api/files?name=a.txt', Buffer.from('text'), {
      'content-type': 'text/plain',
    })
    const link = await tenant.admin.get(`/api/files/${stored.body.id}/link`)
    assert.equal(await resolves(link.body.url), 'text')
    const portal = await tenant.admin.post('/api/webhooks/portal-sessions', {
      origins: ['https://app.example.com'],
    })
    assert.equal(portal.status, 201, portal.text)
    await resolvesAll(portal.body.url)
    const { servers } = (await service.anonymous.get('/swagger/v1/swagger.json')).body
    assert.deepEqual(servers, [{ url: baseUrl }])
  })

  it('is an issuer below it', async () => {
    const { body } = await service.anonymous.get(`${path}/.well-known/openid-configuration`)
    assert.equal(body.issuer, baseUrl)
    await resolves(body.jwks_uri)
    const sso = await tenant.admin.get('/api/tenant/sso/addresses')
    assert.equal(sso.status, 200, sso.text)
    for (const each of Object.values(sso.body)) received(String(each))
  })

  it('sends mails whose links lead to it', async () => {
    await service.anonymous.post(
      '/api/auth/forgot-password',
      { email: 'boss@example.com' },
      { 'x-tenant-id': tenant.id },
    )
    const signUp = { tenantId: uniqueName('new'), tenantName: 'New', ...person(uniqueName('user')) }
    await service.anonymous.post('/api/auth/sign-up', signUp)
    await tenant.admin.post('/api/invitations', { email: 'new@example.com', roles: ['User'] })
    await eventually('a mail', soonMs, async () => mails.list().length >= 2)
    for (const { html: text, subject } of mails.list()) {
      const found = addressesIn(text, baseUrl)
      assert.ok(found.length > 0, subject)
      for (const each of found) await resolves(each)
    }
  })

  for (const page of [
    '/swagger',
    '/api-docs',
    '/graphql/ui',
    '/console',
    '/console/entities/product',
    '/account/forgot-password',
    '/account/sign-up',
  ])
    it(`has the page ${page}, whose addresses lead to it`, () => resolvesAll(`${baseUrl}${page}`))

  it('signs in on a page, which leads to its other pages', async () => {
    const query = new URLSearchParams({
      returnTo: `${path}/console`,
      codeChallenge: 'a'.repeat(43),
      tenant: tenant.id,
    })
    const address = `${baseUrl}/account/sign-in?${query}`
    const text = await resolves(address)
    const found = addressesIn(text, address)
    assert.ok(
      found.some((each) => each.startsWith(`${baseUrl}/account/forgot-password?`)),
      String(found),
    )
    assert.ok(
      found.some((each) => each.startsWith(`${baseUrl}/api/auth/passkeys/request-options?`)),
      String(found),
    )
    for (const each of found) received(each)
  })

  it('sends browsers back below it after a sign-in, and nowhere else', async () => {
    const post = (returnTo: string) => {
      const query = new URLSearchParams({ returnTo, codeChallenge: 'a'.repeat(43), tenant: tenant.id })
      return fetch(`${service.url}/account/sign-in?${query}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...html, origin: 'https://example.com', ...fromAnyAddress() },
        body: new URLSearchParams({ userName: 'boss', password }),
      })
    }
    for (const [returnTo, target] of [
      ['/console', `${baseUrl}/console`],
      [`${path}/console?a=/b`, `${baseUrl}/console`],
      ['/', `${baseUrl}/`],
      [path, baseUrl],
      [`${path}s/x`, `${baseUrl}${path}s/x`],
      ['/x/../..//evil.example', `${baseUrl}//evil.example`],
      [`${path}//evil.example`, `${baseUrl}//evil.example`],
      [`${baseUrl}/console`, `${baseUrl}/console`],
      ['//shop.example/x', 'https://shop.example/x'],
    ] as const) {
      const answer = await post(returnTo)
      assert.equal(answer.status, 303, returnTo)
      const { origin, pathname, searchParams } = new URL(answer.headers.get('location') ?? '')
      assert.equal(`${origin}${pathname}`, target, returnTo)
      assert.ok(searchParams.has('sign_in_code'))
    }
    for (const returnTo of [
      'https://evil.example/',
      'javascript:alert(1)',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      `//evil.example${path}/x`,
    ])
      assert.equal((await post(returnTo)).status, 400, returnTo)
  })

  it('redirects browsers below it', async () => {
    for (const [from, to] of [
      ['/', `${path}/console`],
      [path, `${path}/console`],
      [`${path}/`, `${path}/console`],
      ['/.well-known/change-password', `${baseUrl}/account/forgot-password`],
    ] as const) {
      const { headers } = await fetch(`${service.url}${from}`, { redirect: 'manual', headers: html })
      assert.equal(headers.get('location'), to, from)
    }
    const slash = await fetch(`${service.url}${path}/swagger/`, { redirect: 'manual' })
    await resolves(new URL(slash.headers.get('location') ?? '', `${baseUrl}/swagger/`).href)
  })

  it('opens WebSockets, also for pages of its origin', async () => {
    const { authorization = '' } = tenant.user.headers
    for (const at of [`${path}/graphql`, '/graphql']) {
      await using socket = await RawSocket.enter(
        service.url,
        { authorization },
        { path: at, headers: { origin: 'https://example.com' } },
      )
      assert.equal(socket.socket.readyState, 1)
    }
    await assert.rejects(RawSocket.open(service.url, { path: `${path}/other` }), /404/)
  })

  it('lets a portal be embedded, and no other address of the console', async () => {
    const portal = await tenant.admin.post('/api/webhooks/portal-sessions', {
      origins: ['https://app.example.com'],
    })
    const policyAt = async (at: string) =>
      (await new Client(service.url).get(at)).headers.get('content-security-policy') ?? ''
    assert.match(
      await policyAt(`${path}/console/embed/${portal.body.id}`),
      /frame-ancestors https:\/\/app\.example\.com/,
    )
    assert.match(await policyAt(`${path}/console/%65mbed/${portal.body.id}`), /frame-ancestors 'none'/)
  })
})

onEitherDatabase('A path of BASE_URL', (database) => {
  it('is refused if it begins as an address of the service does', async () => {
    for (const own of ['api', 'console/x', 'graphql', 'health', '.well-known'])
      await assert.rejects(
        startService(database, { BASE_URL: `https://example.com/${own}` }),
        /BASE_URL: must have a path that does not begin with/,
        own,
      )
  })
})
