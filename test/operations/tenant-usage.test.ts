import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { installation } from '../../src/core/installation.ts'
import { intervalJobsOf } from '../../src/core/jobs.ts'
import { eraseTenant } from '../../src/operations/erase/erase.ts'
import type { UsageOfPeriod } from '../../src/operations/usage/schema.ts'
import { usageWithin } from '../../src/operations/usage/sql.ts'
import { listUsage } from '../../src/operations/usage/usage.ts'
import { TestClock } from '../support/clock.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { hastened } from './served.ts'

onEachDatabase('The usage of tenants', (database) => {
  const clock = new TestClock()
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { ...hastened, clock: clock.now })
  })
  after(() => service.stop())

  const run = async (job: string): Promise<void> => {
    const operator = await service.service.operator()
    const found = intervalJobsOf(service.service.features).find(({ name }) => name === job)
    await found?.run(operator, new AbortController().signal)
  }
  const store = () => run('store the usage of tenants')
  const read = async ({ id }: TestTenant): Promise<Record<'hours' | 'days', UsageOfPeriod[]>> =>
    (await service.host.get(`/api/tenants/${id}/usage`)).body
  const overviewOf = async ({ id }: TestTenant) => {
    const { body } = await service.host.get('/api/tenant-overview?limit=200')
    return body.find((each: { id: string }) => each.id === id)
  }

  it('counts requests, errors and sign-ins of each, by hour and by day', async () => {
    const tenant = await service.newTenant()
    const other = await service.newTenant()
    await store()
    const [first] = (await read(tenant)).days.slice(-1)
    assert.ok(first !== undefined)
    await tenant.admin.get('/api/products')
    await tenant.admin.get('/api/products')
    await service.signIn('boss', tenant.id)
    await store()
    const { hours, days } = await read(tenant)
    assert.deepEqual([hours.length, days.length], [24, 14])
    const [hour, day] = [hours.at(-1), days.at(-1)]
    assert.equal((day?.requests ?? 0) - first.requests, 3)
    assert.equal((day?.signIns ?? 0) - first.signIns, 1)
    assert.deepEqual([hour?.requests, hour?.errors], [day?.requests, 0])
    assert.equal(day?.from, `${clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`)
    const { usage } = await overviewOf(tenant)
    assert.deepEqual(
      [usage.requests, usage.requestsByDay.at(-1), usage.requestsByDay.length],
      [day?.requests, day?.requests, 14],
    )
    const [ofOther] = (await read(other)).days.slice(-1)
    assert.ok((ofOther?.requests ?? 0) < usage.requests)
  })

  it('adds the errors of the service', async () => {
    const tenant = await service.newTenant({ connectionString: 'postgres://nobody@127.0.0.1:1/none' })
    assert.equal((await tenant.admin.get('/api/products')).status, 503)
    await store()
    assert.equal((await read(tenant)).days.at(-1)?.errors, 1)
  })

  it('estimates the rows and the bytes of each, by table', async () => {
    const tenant = await service.newTenant()
    const size = async () => (await service.host.get(`/api/tenants/${tenant.id}/size`)).body
    for (let number = 0; number < 3; number++)
      await tenant.admin.post('/api/products', {
        name: `Desk ${number}`,
        price: 1,
        description: 'x'.repeat(1000),
      })
    const first = await size()
    const products = first.tables.find(({ name }: { name: string }) => name === 'product')
    assert.deepEqual([products.rows, products.isComplete], [3, true])
    assert.ok(products.bytes > 3000 && products.bytes < 6000, `${products.bytes}`)
    assert.equal(first.databaseBytes, null)
    await tenant.admin.post('/api/products', { name: 'Later', price: 1 })
    assert.equal((await size()).rows, first.rows, 'it is not counted again at once')
    const { estimate } = await overviewOf(tenant)
    assert.deepEqual([estimate.rows, estimate.bytes], [first.rows, first.bytes])
    clock.advance({ minutes: 11 })
    assert.ok((await size()).rows > first.rows)
  })

  it('has the size of a database of its own', async () => {
    const own = await service.newTenant({ connectionString: 'sqlite:sized.db' })
    await own.admin.post('/api/products', { name: 'Desk', price: 1 })
    const { status, body } = await service.host.get(`/api/tenants/${own.id}/size`)
    assert.equal(status, 200)
    assert.ok(body.databaseBytes > 100_000)
    assert.ok(body.tables.some(({ name }: { name: string }) => name === 'product'))
  })

  it('leaves nothing of an erased tenant', async () => {
    const tenant = await service.newTenant()
    await store()
    await tenant.admin.get('/api/products')
    await service.host.delete(`/api/tenants/${tenant.id}`)
    const operator = await service.service.operator()
    const used = async () =>
      (await listUsage(operator, tenant.id, 'day')).some(({ requests }) => requests > 0)
    assert.equal(await used(), true)
    await eraseTenant(operator, tenant.id)
    await store() // what it has done last is still counted
    assert.equal(await used(), false)
  })

  it('is for the host alone', async () => {
    const tenant = await service.newTenant()
    for (const part of ['usage', 'size']) {
      const refused = await tenant.admin.get(`/api/tenants/${tenant.id}/${part}`)
      assertError(refused, 403, 'This requires the permission operation:read.')
      assert.equal((await service.host.get(`/api/tenants/nobody/${part}`)).status, 404)
    }
  })

  it('keeps hours for two days, and days for two weeks', async () => {
    const tenant = await service.newTenant()
    await tenant.admin.get('/api/products')
    await store()
    clock.advance({ days: 3 })
    await run('retention of usage of tenants')
    const operator = await service.service.operator()
    const hours = await listUsage(operator, tenant.id, 'hour')
    const days = await listUsage(operator, tenant.id, 'day')
    assert.ok(hours.every(({ requests }) => requests === 0))
    assert.ok((days.at(-4)?.requests ?? 0) > 0)
    clock.advance({ days: 12 })
    await run('retention of usage of tenants')
    const everything = installation(operator, 'a test looks at what is left')
    assert.deepEqual(await usageWithin(everything, { from: 'a', to: 'z' }, 1), [])
  })
})
