/** Portal sessions: how they are made, what they reach, and when they end. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { intervalJobsOf } from '../../../src/core/jobs.ts'
import type { Answer, Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { openPortal, portalSessions } from './portal.ts'

const ended = 'There is no such portal session. It has expired, or was ended.'
const subscriptions = '/api/webhooks/subscriptions'
const input = { url: 'http://127.0.0.1:9/hooks', events: ['order.created'] }

onEitherDatabase('A portal session', (database) => {
  const clock = new TestClock()
  let service: TestService
  let other: Instance
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
    other = await startOther(service, { clock: clock.now })
    tenant = await service.newTenant()
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  const open = (members: object = {}, by: Client = tenant.admin) =>
    openPortal(by, service.anonymous, { ...members })
  const current = (token: string, at: Client = service.anonymous) =>
    at.withToken(token).get(`${portalSessions}/current`)
  const newKey = async (permissions: string[], members: object = {}) => {
    const made = await tenant.admin.post('/api/api-keys', { name: 'Shop', permissions, ...members })
    assert.equal(made.status, 201, made.text)
    return { id: made.body.id, client: service.anonymous.withToken(made.body.key) }
  }
  const isOver = (token: string) =>
    eventually('the end', soonMs, async () => {
      const answers = [await current(token), await current(token, other.anonymous)]
      return answers.every(({ status }) => status === 401)
    })

  it('is made with an API key, and shows its address once', async () => {
    const key = await newKey(['webhook:portal', 'webhook:read'])
    const made = await key.client.post(portalSessions, { customer: ' 7 ', origins: ['https://shop.example'] })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.get('cache-control'), 'no-store')
    const { url, ...rest } = made.body
    assert.deepEqual(rest, {
      id: rest.id,
      customer: '7',
      events: [],
      readOnly: true,
      origins: ['https://shop.example'],
      expiresAt: new Date(Date.parse(rest.createdAt) + 15 * 60_000).toISOString(),
      createdAt: rest.createdAt,
    })
    const [, token = ''] = /\/console\/embed\/[\w-]{36}#token=(tnt_portal_[\w-]{43})$/.exec(url) ?? []
    assert.deepEqual((await current(token)).body, rest)
    const audit = (await tenant.admin.get(`/api/audit?subjectId=${rest.id}`)).body
    assert.deepEqual(
      audit.map(({ action, actorId }: Record<string, string>) => [action, actorId]),
      [['portalSession.created', key.id]],
    )
    assert.ok(!JSON.stringify(audit).includes(token))
    assertError(await key.client.get(`${portalSessions}/current`), 404, 'There is no such portal session.')
  })

  it('is refused what its maker may not do, and what is no origin', async () => {
    const reader = await newKey(['webhook:portal', 'webhook:read'])
    const full = await reader.client.post(portalSessions, { origins: ['https://a.example'], readOnly: false })
    assertError(full, 403, 'You cannot grant what you do not have: webhook:write, event:read.')
    const without = await tenant.user.post(portalSessions, { origins: ['https://a.example'] })
    assertError(without, 403, 'This requires the permission webhook:portal.')
    for (const origin of [
      '*',
      'https://*',
      'http://shop.example',
      'https://a.example/',
      "https://a;script-src'",
      'https://a b',
      'https://[::1]',
    ]) {
      const { status } = await tenant.admin.post(portalSessions, { origins: [origin] })
      assert.equal(status, 400, origin)
    }
    for (const members of [{ origins: [] }, { minutes: 61 }, { minutes: 0 }, { customer: ' ' }]) {
      const { status } = await tenant.admin.post(portalSessions, {
        origins: ['https://a.example'],
        ...members,
      })
      assert.equal(status, 400, JSON.stringify(members))
    }
  })

  it('may be embedded by its origins alone, and everything else by nobody', async () => {
    const { id } = await open({ origins: ['https://a.example', 'http://localhost:8080'] })
    const policyOf = ({ headers }: Answer) => [
      /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1],
      headers.get('x-frame-options'),
    ]
    const page = await service.anonymous.get(`/console/embed/${id}`)
    assert.equal(page.status, 200)
    const own = ['https://a.example http://localhost:8080', null]
    assert.deepEqual(policyOf(page), own)
    assert.deepEqual(policyOf(await service.anonymous.get(`/console/embed/${id}/subscriptions`)), own)
    // The page takes these for addresses of the console.
    for (const path of [`/console/%65mbed/${id}`, `/console/embed/%30${id.slice(1)}`]) {
      assert.match(`/console/embed/${id}`, new RegExp(decodeURIComponent(path)))
      assert.deepEqual(policyOf(await service.anonymous.get(path)), ["'none'", 'DENY'], path)
    }
    const etag = page.headers.get('etag') ?? ''
    const unchanged = await service.anonymous.get(`/console/embed/${id}`, { 'if-none-match': etag })
    assert.deepEqual([unchanged.status, ...policyOf(unchanged)], [304, ...own])
    const none = ["'none'", 'DENY']
    for (const path of [
      `/console/embed/${tenant.id}`,
      '/console/embed/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
      `/console/embed/`,
      `/console/subscriptions?embed=${id}`,
      '/console',
      '/api/webhooks/subscriptions',
    ])
      assert.deepEqual(policyOf(await service.anonymous.get(path)), none, path)
  })

  it('only shows, or changes what there is: for a customer it subscribes to the given events alone', async () => {
    const { body: own } = await tenant.user.post(subscriptions, { ...input, customer: '8' })
    const path = `${subscriptions}/${own.id}`
    const reading = await open({ customer: '8' })
    assert.equal((await reading.client.get(path)).body.secret, `whsec_****${own.secret.slice(-4)}`)
    const lacking = 'This requires the permission webhook:write.'
    assertError(await reading.client.post(subscriptions, input), 403, lacking)
    assertError(await reading.client.post(`${path}/rotate-secret`, {}), 403, lacking)

    const full = await open({ customer: '8', readOnly: false })
    const foreign = (events: string) => `This portal session may not subscribe to ${events}.`
    assertError(await full.client.post(subscriptions, input), 403, foreign('order.created'))
    const changed = await full.client.patch(path, { url: 'http://127.0.0.1:9/new', events: input.events })
    assert.equal(changed.status, 200, changed.text)
    assertError(await full.client.patch(path, { events: ['*'] }), 403, foreign('*'))
    const moved = await full.client.patch(path, { customer: '9' })
    assertError(moved, 403, 'The subscriptions of this portal session belong to its customer.')
    assert.match((await full.client.post(`${path}/rotate-secret`, {})).body.secret, /^whsec_[\w+/=]{44}$/)
    const audit = (await tenant.admin.get(`/api/audit?subjectId=${own.id}&action=subscription.updated`)).body
    assert.deepEqual([audit[0].actorId, audit[0].actorName], [full.id, 'portal:8'])

    const wider = await open({ customer: '8', readOnly: false, events: ['order.*'] })
    const made = await wider.client.post(subscriptions, { ...input, events: ['order.paid', 'order.*'] })
    assert.deepEqual([made.status, made.body.customer], [201, '8'])
    assertError(
      await wider.client.post(subscriptions, { ...input, events: ['product.*'] }),
      403,
      foreign('product.*'),
    )
    for (let count = 2; count < 10; count++) await wider.client.post(subscriptions, input)
    assertError(
      await wider.client.post(subscriptions, input),
      400,
      'A customer has 10 subscriptions at most.',
    )
  })

  it('lists, counts and replays the deliveries of its customer alone', async () => {
    const scene = await service.newTenant()
    const subscribe = async (customer: string | null) => {
      const members = { url: 'http://127.0.0.1:9/hooks', events: ['thing.*'], retrySeconds: [], customer }
      return (await scene.user.post(subscriptions, members)).body.id as string // ids are texts
    }
    const [own, others] = [await subscribe('7'), await subscribe('8')]
    await subscribe(null)
    for (const text of ['one', 'two'])
      await scene.user.post('/api/events', { type: 'thing.happened', data: { text } })
    await service.service.queueWorkers.drain()
    const deliveries = '/api/webhooks/deliveries'
    assert.equal((await scene.user.get(deliveries)).body.length, 6)
    const { client } = await open({ customer: '7', readOnly: false }, scene.admin)
    for (const query of ['', `?subscriptionId=${own}`, '?status=DEAD', '?since=2020-01-01T00:00:00.000Z']) {
      const { body } = await client.get(`${deliveries}${query}`)
      assert.deepEqual([body.length, body[0]?.subscriptionId, body[1]?.subscriptionId], [2, own, own], query)
    }
    assert.deepEqual((await client.get(`${deliveries}?subscriptionId=${others}`)).body, [])
    const nobody = await open({ customer: 'nobody' }, scene.admin)
    assert.deepEqual((await nobody.client.get(deliveries)).body, [])
    const [newest] = (await client.get(deliveries)).body
    const recovery = { since: '2020-01-01T00:00:00.000Z', dryRun: true }
    assert.equal((await client.post(`${subscriptions}/${own}/recover`, recovery)).body.deliveries, 2)
    assert.equal((await client.post(`${deliveries}/${newest.id}/replay`)).status, 202)
    const all = (await scene.user.get(deliveries)).body
    const foreign = all.find(({ subscriptionId }: { subscriptionId: string }) => subscriptionId === others)
    assert.equal((await client.post(`${deliveries}/${foreign.id}/replay`)).status, 404)
  })

  it('ends by its time, by a DELETE, and with the key or the session that made it', async () => {
    const deleted = await open()
    assert.equal((await current(deleted.token, other.anonymous)).status, 200)
    assert.equal((await tenant.admin.delete(`${portalSessions}/${deleted.id}`)).status, 204)
    assert.equal((await tenant.admin.delete(`${portalSessions}/${deleted.id}`)).status, 404)
    await isOver(deleted.token)
    assertError(await current(deleted.token), 401, ended)

    const key = await newKey(['webhook:portal', 'webhook:read'])
    const ofKey = await open({}, key.client)
    await current(ofKey.token, other.anonymous)
    await tenant.admin.delete(`/api/api-keys/${key.id}`)
    await isOver(ofKey.token)

    const { client } = await service.signIn('boss', tenant.id)
    const ofSession = await open({}, client)
    assert.equal((await current(ofSession.token)).status, 200)
    await client.post('/api/auth/logout')
    await isOver(ofSession.token)

    const { minutes } = { minutes: 5 }
    const expiring = await open({ minutes })
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
    const briefly = await newKey(['webhook:portal', 'webhook:read'], { expiresAt })
    const ofBrief = await open({ minutes }, briefly.client)
    clock.advance({ minutes: 2 })
    assert.equal((await current(expiring.token)).status, 200)
    assertError(await current(ofBrief.token), 401, ended)
    clock.advance({ minutes: 4 })
    assertError(await current(expiring.token), 401, ended)
    clock.advance({ minutes: -6 })
  })

  it('is not made with another portal session', async () => {
    const { client } = await open({ readOnly: false })
    const again = await client.post(portalSessions, { origins: ['https://a.example'] })
    assertError(again, 403, 'A portal session may not call this.')
  })

  it('is removed a day after it has expired', async () => {
    const { id } = await open()
    const remove = async () => {
      const jobs = intervalJobsOf(service.service.features).filter(({ name }) => name.includes('portal'))
      for (const job of jobs) await job.run(await service.service.operator(), new AbortController().signal)
    }
    const isKnown = async () =>
      (await service.anonymous.get(`/console/embed/${id}`)).headers.get('x-frame-options') === null
    clock.advance({ minutes: 60 })
    await remove()
    assert.equal(await isKnown(), true)
    clock.advance({ days: 1 })
    await remove()
    assert.equal(await isKnown(), false)
  })
})
