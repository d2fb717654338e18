import assert from 'node:assert/strict'
import { it } from 'node:test'
import { intervalJobsOf } from '../../src/core/jobs.ts'
import type { MailTransport } from '../../src/mail/transport/transport.ts'
import { enqueueFor, newWork, workFeature } from '../jobs/work-feature.ts'
import { greet, greetingFeature } from '../mail/mail-feature.ts'
import { TestClock } from '../support/clock.ts'
import { onEachDatabase, onEitherDatabase } from '../support/databases.ts'
import { walkPages } from '../support/pages.ts'
import { person, sharedService, type TestService, type TestTenant, uniqueName } from '../support/service.ts'
import { answering, type Scene, setScene } from '../support/webhooks/delivery-scene.ts'

const none = {
  failingSubscriptions: 0,
  deactivatedSubscriptions: 0,
  deadDeliveries: 0,
  waitingDeliveries: 0,
  deadJobs: 0,
  waitingJobs: 0,
  deadMails: 0,
  waitingMails: 0,
  databaseFault: null,
}

const away: MailTransport = {
  send: async () => {
    throw new Error('no mail server')
  },
}

onEachDatabase('The health of tenants', (database) => {
  it('has for each tenant what waits and what has failed, the worst tenant first', async () => {
    const clock = new TestClock()
    const failing = newWork(() => {
      throw new Error('not today')
    })
    const features = [workFeature(failing, { retrySeconds: [] }), greetingFeature]
    await using scene = await setScene(database, {}, { clock: clock.now, features, mailTransport: away })
    const { service, tenant } = scene
    const healthy = await service.newTenant()
    const waiting = await service.newTenant()
    await fail(scene, tenant, answering(410))
    await fail(scene, tenant)
    await scene.subscribe(await scene.receiver(answering(500)), { retrySeconds: [600] }, waiting.user)
    await scene.publish('thing.bad', {}, waiting.user)
    await scene.publish('thing.good', {}, healthy.user)
    await enqueueFor(service, tenant.id, 1)
    await enqueueFor(service, waiting.id, 2, { at: new Date('2999-01-01') })
    await greet(service, waiting.id, 'guest@acme.example')
    await scene.look()
    clock.advance({ minutes: 10 }) // on a busy machine counting takes long, and is then done less often
    const found = await health(service)
    assert.deepEqual(found.slice(0, 2), [
      {
        ...none,
        tenantId: tenant.id,
        failingSubscriptions: 1,
        deactivatedSubscriptions: 1,
        deadDeliveries: 2,
        deadJobs: 1,
      },
      {
        ...none,
        tenantId: waiting.id,
        failingSubscriptions: 1,
        waitingDeliveries: 1,
        waitingJobs: 1,
        waitingMails: 1,
      },
    ])
    assert.ok(!found.some(({ tenantId }) => tenantId === healthy.id))
    const pages = await walkPages(service.host, '/api/tenant-health?limit=1&fields=tenantId&count=true')
    const listed = pages.map(({ body, headers }) => [body, headers.get('x-total-count')])
    assert.deepEqual(
      listed,
      found.map(({ tenantId }) => [[{ tenantId }], `${found.length}`]),
    )
  })
})

onEitherDatabase('The health of tenants, as it is asked for', (database) => {
  it('counts on request, but not on each', async () => {
    const clock = new TestClock()
    await using scene = await setScene(database, {}, { clock: clock.now })
    assert.deepEqual(await health(scene.service), [])
    await fail(scene, scene.tenant)
    assert.deepEqual(await health(scene.service), [])
    clock.advance({ minutes: 10 }) // on a busy machine counting takes long, and is then done less often
    assert.equal((await health(scene.service)).length, 1)
  })

  it('has the last counts in tenants’ own databases', async () => {
    await using scene = await setScene(database)
    const own = await scene.service.newTenant({ connectionString: `sqlite:${uniqueName('own')}.db` })
    await fail(scene, own)
    const operator = await scene.service.service.operator()
    const count = intervalJobsOf(scene.service.service.features).find(
      ({ name }) => name === 'count in tenants’ databases',
    )
    await count?.run(operator, new AbortController().signal)
    const expected = { ...none, tenantId: own.id, failingSubscriptions: 1, deadDeliveries: 1 }
    assert.deepEqual(await health(scene.service), [expected])
  })

  it('is summed up among the live figures, with the requests of the instance', async () => {
    await using scene = await setScene(database)
    const read = async () => (await scene.service.host.get('/api/figures')).body
    await fail(scene, scene.tenant)
    const first = await read()
    const nothing = { deliveries: 0, jobs: 0, mails: 0 }
    assert.deepEqual([first.waiting, first.dead], [nothing, { ...nothing, deliveries: 1 }])
    assert.ok(first.residentBytes > 10_000_000)
    for (let count = 0; count < 3; count++) await scene.service.host.get('/api/tenants')
    const second = await read()
    assert.equal(second.instanceId, first.instanceId)
    assert.equal(countOf(second) - countOf(first), 4)
    assert.ok(second.requests.seconds > first.requests.seconds)
    assert.equal(second.requests.errors, 0)
    assert.equal(second.requests.buckets.at(-1).upToSeconds, null)
  })

  it('is for the host alone', async () => {
    const service = await sharedService(database)
    const userName = uniqueName('guest')
    await service.host.post('/api/users', person(userName))
    const guest = (await service.signIn(userName)).client
    for (const caller of [(await service.newTenant()).admin, guest]) {
      for (const path of ['/api/tenant-health', '/api/figures']) {
        const { status, body } = await caller.get(path)
        assert.deepEqual([status, body.message], [403, 'This requires the permission operation:read.'])
      }
    }
    await service.stop()
  })
})

function countOf({ requests }: { requests: { buckets: { count: number }[] } }): number {
  return requests.buckets.reduce((sum, { count }) => sum + count, 0)
}

async function fail(scene: Scene, { user }: TestTenant, answer = answering(500)): Promise<void> {
  await scene.subscribe(await scene.receiver(answer), { retrySeconds: [], events: ['bad.*'] }, user)
  await scene.publish('bad.thing', {}, user)
  await scene.look()
}

async function health({ host }: TestService, query = ''): Promise<{ tenantId: string }[]> {
  const { status, body } = await host.get(`/api/tenant-health${query}`)
  assert.equal(status, 200)
  return body
}
