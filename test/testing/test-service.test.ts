/** The service that applications test with. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { postgresDatabaseExists } from '../../src/database/postgres/connect.ts'
import { ApplicationError, ConfigError, type Feature } from '../../src/index.ts'
import { createTestService, TestClock, type TestService, type TestTenant } from '../../src/testing.ts'
import { onEachDatabase, onEitherDatabase, postgresServerUrl } from '../support/databases.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'

const config = new URL('../../examples/invoice/tenantry.config.ts', import.meta.url)
const invoiceOf = (customerId: string) => ({ customerId, lines: [{ text: 'Desk', quantity: 1, price: 20 }] })

onEitherDatabase('A service under test', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await createTestService({
      config,
      ...(database === 'postgres' && { databaseUrl: await postgresServerUrl() }),
    })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('has callers of every kind, who reach the features of the application', async () => {
    assert.equal((await service.anonymous.get('/api/invoices')).status, 401)
    assert.equal((await tenant.user.get('/api/invoices')).status, 200)
    assert.equal((await tenant.user.get('/api/users')).status, 403)
    assert.equal((await tenant.admin.get('/api/users')).status, 200)
    assert.equal((await service.host.get(`/api/tenants/${tenant.id}`)).body.id, tenant.id)
    const { body } = await tenant.user.get('/api/auth/me')
    assert.equal(body.id, tenant.user.userId)
  })

  it('calls verbs with the rights of a caller', async () => {
    const caller = await tenant.newUser()
    const seen = await tenant.as(caller, async ({ actor, authority, tenant: { id } }) => [
      ...[actor?.id, actor?.permissions.has('invoice:void'), authority, id],
    ])
    assert.deepEqual(seen, [caller.userId, false, 'caller', tenant.id])
    const anonymous = await tenant.as(service.anonymous, async ({ actor, authority }) => [actor, authority])
    assert.deepEqual(anonymous, [null, 'caller'])
    const { user: stranger } = await service.newTenant()
    await assert.rejects(
      tenant.as(stranger, async () => undefined),
      /of another tenant/,
    )
  })

  it('keeps its tenants apart, also in a database of its own', async () => {
    const own = await service.newTenant({ connectionString: `sqlite:${tenant.id}.db` })
    for (const each of [tenant, own]) {
      const customer = await each.user.post('/api/customers', { name: 'Oak' })
      const made = await each.user.post('/api/invoices', invoiceOf(customer.body.id))
      assert.deepEqual([made.status, made.body.number], [201, 1])
      const types = (await each.events()).map(({ type }) => type)
      assert.deepEqual(types.slice(-2), ['customer.created', 'invoice.created'])
    }
  })

  it('refuses no client for its many requests', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => tenant.newUser()))
    const tokens = await Promise.all(users.map((user) => user.token()))
    assert.equal(new Set(tokens).size, 12)
  })

  it('delivers what becomes due when its clock is moved', async () => {
    let failures = 1
    const receiver = await startReceiver((response) => response.writeHead(failures-- > 0 ? 500 : 200).end())
    const subscription = { url: receiver.url, events: ['customer.created'] }
    assert.equal((await tenant.user.post('/api/webhooks/subscriptions', subscription)).status, 201)
    await tenant.user.post('/api/customers', { name: 'Delivered' })
    await service.settle()
    assert.equal(receiver.requests.length, 1)
    await service.advance({ minutes: 1 })
    assert.equal(receiver.requests.length, 2)
    await receiver.close()
  })

  it('gives verbs a context of the tenant', async () => {
    assert.equal(await tenant.run(async (context) => context.tenant.id), tenant.id)
  })

  it('answers GraphQL with data, and throws its errors', async () => {
    assert.deepEqual(
      await tenant.user.graphql('{ customer(id: "01a1fb85-fc51-7000-82c6-9c53e262940e") { id } }'),
      {
        customer: null,
      },
    )
    await assert.rejects(tenant.user.graphql('{ nothing }'), /Cannot query field "nothing"/)
  })
})

onEachDatabase('A stopped service under test', (database) => {
  it('leaves nothing behind', async () => {
    const service = await createTestService({
      features: [],
      ...(database === 'postgres' && { databaseUrl: await postgresServerUrl() }),
    })
    const { dataDir, sharedTarget } = (await service.service.operator()).shared.tenantDatabases
    await Promise.all([service.stop(), service.stop()])
    assert.ok(!existsSync(dataDir))
    if (sharedTarget.kind === 'postgres') assert.equal(await postgresDatabaseExists(sharedTarget.url), false)
  })
})

describe('createTestService', () => {
  it('refuses an application and settings that a start refuses', async () => {
    const missing = new URL('nothing.ts', import.meta.url)
    await assert.rejects(createTestService({ config: missing }), ApplicationError)
    await assert.rejects(createTestService({ features: [], settings: { PORT: 'no' } }), ConfigError)
  })

  it('refuses a feature with the name of a built-in one', async () => {
    await assert.rejects(createTestService({ features: [{ name: 'product' }] }), {
      message:
        "The feature product has the name of a built-in feature (products): choose another name, or leave the built-in out with without: ['catalog'].",
    })
  })

  it('runs the jobs of features when it is told to', async () => {
    const ran: string[] = []
    const run = async ({ tenant }: { tenant: { id: string } }) => void ran.push(tenant.id)
    const feature: Feature = { name: 'sweep', jobs: [{ name: 'sweep', everyMs: 3_600_000, run }] }
    await using service = await createTestService({ features: [feature] })
    await service.runJob('sweep')
    assert.deepEqual(ran, ['default'])
    await assert.rejects(service.runJob('swep'), /No feature has a job swep at intervals\./)
  })
})

describe('TestClock', () => {
  it('is moved by durations and to moments', () => {
    const clock = new TestClock()
    clock.set('2030-01-31T12:00:00Z')
    clock.advance({ days: 1, hours: 1, minutes: 1, seconds: 1, ms: 1 })
    assert.equal(clock.now().toISOString().slice(0, 16), '2030-02-01T13:01')
    assert.throws(() => clock.set('soon'), RangeError)
  })
})
