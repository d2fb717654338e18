/** The list of portal sessions. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { startService, type TestService } from '../../support/service.ts'
import { openPortal, portalSessions } from './portal.ts'

onEitherDatabase('A portal session', (database) => {
  const clock = new TestClock()
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
  })
  after(() => service.stop())

  const open = (members: object, by: Client) => openPortal(by, service.anonymous, { ...members })
  const current = (token: string) => service.anonymous.withToken(token).get(`${portalSessions}/current`)
  const idsOf = ({ body }: Answer) => body.map(({ id }: { id: string }) => id)

  it('is listed while it is open, to those who may make one, without its address', async () => {
    const own = await service.newTenant()
    const list = async (query = '', by = own.admin) => by.get(`${portalSessions}${query}`)
    assert.deepEqual((await list()).body, [])
    const made = await own.admin.post('/api/api-keys', {
      name: 'Shop',
      permissions: ['webhook:portal', 'webhook:read'],
      expiresAt: new Date(clock.now().getTime() + 6 * 60_000).toISOString(),
    })
    const key = service.anonymous.withToken(made.body.key)
    const first = await open({ customer: '7', minutes: 60 }, own.admin)
    const second = await open({ minutes: 60 }, key)
    const third = await open({ minutes: 3 }, own.admin)
    const all = await list()
    assert.deepEqual(idsOf(all), [third.id, second.id, first.id])
    assert.deepEqual(all.body[2], (await current(first.token)).body)
    for (const { token } of [first, second, third]) assert.ok(!all.text.includes(token))
    const page = await list('?limit=2')
    assert.deepEqual(idsOf(page), [third.id, second.id])
    const [, next = ''] = /portal-sessions(\?[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? []
    assert.deepEqual(idsOf(await list(next)), [first.id])
    assert.deepEqual((await list('', (await service.newTenant()).admin)).text.includes(first.id), false)
    assertError(await list('', own.user), 403, 'This requires the permission webhook:portal.')
    assertError(await list('', first.client), 403, 'A portal session may not call this.')

    clock.advance({ minutes: 4 })
    assert.deepEqual(idsOf(await list()), [second.id, first.id])
    clock.advance({ minutes: 4 })
    assert.deepEqual(idsOf(await list()), [first.id])
    clock.advance({ minutes: -8 })
    await own.admin.delete(`/api/api-keys/${made.body.id}`)
    assert.deepEqual(idsOf(await list()), [third.id, first.id])
    await own.admin.delete(`${portalSessions}/${third.id}`)
    const signedIn = await service.signIn('boss', own.id)
    const fourth = await open({}, signedIn.client)
    assert.deepEqual(idsOf(await list()), [fourth.id, first.id])
    await signedIn.client.post('/api/auth/logout')
    assert.deepEqual(idsOf(await list()), [first.id])
  })

  it('is found, sorted, counted and chosen from, in REST and GraphQL', async () => {
    const own = await service.newTenant()
    const first = await open({ customer: '7', minutes: 60 }, own.admin)
    const second = await open({ customer: '8', minutes: 5, readOnly: false }, own.admin)
    const third = await open({ minutes: 10, events: ['order.*'] }, own.admin)
    const list = (query: string) => own.admin.get(`${portalSessions}?${query}`)
    assert.deepEqual(idsOf(await list('sort=expiresAt')), [second.id, third.id, first.id])
    assert.deepEqual(idsOf(await list('readOnly=false')), [second.id])
    assert.deepEqual(idsOf(await list('customer[isNull]=true')), [third.id])
    assert.deepEqual(idsOf(await list('customer[in]=7,8&sort=createdAt')), [first.id, second.id])
    const counted = await list('count=true&limit=1&fields=events,origins,readOnly')
    const { body: row } = await own.admin.get(`${portalSessions}/${third.id}`)
    const { events, origins } = row
    assert.deepEqual(events, ['order.*'])
    assert.deepEqual(counted.body, [{ events, origins, readOnly: true }])
    assert.equal(counted.headers.get('x-total-count'), '3')
    assert.equal((await list('fields=digest')).status, 400)
    const document = `{
      portalSessions { totalCount nodes { id } }
      portalSession(id: "${third.id}") { ${Object.keys(row).join(' ')} }
    }`
    const ask = async (by: Client) => (await by.post('/graphql', { query: document })).body
    assert.deepEqual((await ask(own.admin)).data, {
      portalSessions: { totalCount: 3, nodes: [third, second, first].map(({ id }) => ({ id })) },
      portalSession: row,
    })
    assert.equal((await ask(own.user)).errors[0].message, 'This requires the permission webhook:portal.')
    clock.advance({ minutes: 11 })
    assertError(await own.admin.get(`${portalSessions}/${third.id}`), 404, 'There is no such portal session.')
    const later = (await ask(own.admin)).data
    assert.deepEqual(later, {
      portalSessions: { totalCount: 1, nodes: [{ id: first.id }] },
      portalSession: null,
    })
    clock.advance({ minutes: -11 })
  })

  it('is made with a credential of its tenant alone, and a page of the list goes past those whose maker has ended', async () => {
    const own = await service.newTenant()
    const foreign = await service.host.post(
      portalSessions,
      { origins: ['https://shop.example'] },
      { 'x-tenant-id': own.id },
    )
    assertError(foreign, 403, 'The token does not belong to this tenant.')
    const ofHost = await open({}, service.host)
    const first = await open({}, own.admin)
    const { client: leaving } = await service.signIn('boss', own.id)
    await open({}, leaving)
    await open({}, leaving)
    const last = await open({}, own.admin)
    await leaving.post('/api/auth/logout')
    const page = await own.admin.get(`${portalSessions}?limit=1`)
    assert.deepEqual(idsOf(page), [last.id])
    const [, next = ''] = /portal-sessions(\?[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? []
    assert.deepEqual(idsOf(await own.admin.get(`${portalSessions}${next}`)), [first.id])
    assert.deepEqual(idsOf(await service.host.get(portalSessions)), [ofHost.id])
  })
})
