import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import type { Feature } from '../../src/core/feature/feature.ts'
import { route } from '../../src/core/feature/route.ts'
import { ConfigError } from '../../src/core/settings/config.ts'
import { eraseTenant } from '../../src/operations/erase/erase.ts'
import { createService, type Service } from '../../src/service/service.ts'
import { featuresWithout, type OptionalFeature, optionalFeatures } from '../../src/service/without.ts'
import { Client } from '../support/client.ts'
import { inspect } from '../support/database/inspect.ts'
import { createPostgresDatabase, onEitherDatabase } from '../support/databases.ts'
import { mountedRoutes } from '../support/http/mounted-routes.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { startService, type TestService, usualOptions } from '../support/service.ts'
import { addRule, receipt, received, setProvider } from '../support/webhooks/provider.ts'

const names = /product|categor|order/i

/** Has the address, the event and the field of a built-in feature. */
const ownProducts: Feature = {
  name: 'ownProduct',
  routes: [
    route({
      method: 'GET',
      path: '/api/products',
      summary: 'List our own products',
      tag: 'Products',
      access: 'user',
      status: 200,
      reply: Type.Array(Type.Object({ ours: Type.Boolean() })),
      handle: async () => [{ ours: true }],
    }),
  ],
}

onEitherDatabase('A service without catalogue and orders', (database) => {
  let service: TestService
  let drop = async (): Promise<void> => undefined
  before(async () => {
    // Not a copy of a migrated database.
    const postgres = database === 'postgres' ? await createPostgresDatabase() : null
    drop = async () => postgres?.drop()
    const settings = postgres === null ? {} : { DATABASE_URL: postgres.url }
    service = await startService('sqlite', settings, { without: [...optionalFeatures] })
  })
  after(async () => {
    await service.stop()
    await drop()
  })

  it('has none of their routes, and does not describe them', async () => {
    assert.deepEqual(
      mountedRoutes(service.service.app).filter((name) => names.test(name)),
      [],
    )
    assert.equal((await service.host.get('/api/products')).status, 404)
    const { body } = await service.anonymous.get('/swagger/v1/swagger.json')
    const described = [...Object.keys(body.paths), ...Object.keys(body.components.schemas)]
    assert.ok(described.length > 50)
    assert.deepEqual(
      described.filter((name) => names.test(name)),
      [],
    )
  })

  it('has none of their fields and types in GraphQL', async () => {
    const { body } = await service.anonymous.post('/graphql', {
      query: '{ __schema { types { name fields { name } } subscriptionType { name } } }',
    })
    const { types, subscriptionType } = body.data.__schema
    const found = types.flatMap(({ name, fields }: { name: string; fields: { name: string }[] | null }) => [
      name,
      ...(fields ?? []).map((field) => field.name),
    ])
    assert.ok(found.includes('updateTenantSettings'))
    assert.deepEqual(
      found.filter((name: string) => names.test(name)),
      [],
    )
    assert.equal(subscriptionType, null)
  })

  it('has none of their events, actions and tables', async () => {
    const { admin, id } = await service.newTenant()
    const { body } = await admin.get('/api/webhooks/event-types')
    assert.ok(body.length > 5)
    assert.deepEqual(
      body.map(({ type }: { type: string }) => type).filter((type: string) => names.test(type)),
      [],
    )
    await setProvider(admin)
    await addRule(admin, 'order.pay')
    const sent = await received(service, { id }, { id: 'evt_1', type: 'paid', data: { orderId: 'x' } })
    assert.equal((await receipt(admin, sent)).status, 'UNHANDLED')
    for (const table of ['product', 'category', 'sales_order', 'sales_order_item'])
      await assert.rejects(inspect(service.config.databaseUrl, `SELECT 1 FROM ${table}`), table)
  })
})

onEitherDatabase('A database that has products and orders', (database) => {
  let service: TestService
  let left: Service
  before(async () => {
    service = await startService(database)
  })
  after(async () => {
    await left?.stop()
    await service.stop()
  })

  it('keeps them while a service leaves them out, which may use their addresses', async () => {
    const { id, user } = await service.newTenant()
    const gone = await service.newTenant()
    for (const each of [user, gone.user]) {
      const product = await newProduct(each)
      assert.equal((await each.post('/api/orders', orderOf([[product, 2]]))).status, 201)
    }
    await service.service.stop()
    const without: OptionalFeature[] = ['catalog', 'orders']
    left = await createService(service.config, { ...usualOptions, without, features: [ownProducts] })
    const caller = new Client(await left.start()).with(user.headers)
    assert.deepEqual((await caller.get('/api/products')).body, [{ ours: true }])
    const host = new Client(caller.baseUrl).with(service.host.headers)
    assert.equal((await host.delete(`/api/tenants/${gone.id}`)).status, 204)
    await eraseTenant(await left.operator(), gone.id)
    await left.stop()
    const rows = (tenant: string) =>
      inspect(service.config.databaseUrl, `SELECT 1 FROM sales_order WHERE tenant_id = '${tenant}'`)
    assert.deepEqual([(await rows(id)).length, (await rows(gone.id)).length], [1, 0])
    left = await createService(service.config, usualOptions)
    const again = new Client(await left.start()).with(user.headers)
    assert.equal((await again.get('/api/orders')).body.length, 1)
    assert.equal((await again.get('/api/products')).body.length, 1)
  })
})

describe('Built-in features', () => {
  it('are left out by name, orders alone or with the catalogue', () => {
    const has = (without: OptionalFeature[]) => (['catalog', 'orders'] as const).map(featuresWithout(without))
    assert.deepEqual(has([]), [true, true])
    assert.deepEqual(has(['orders']), [true, false])
    assert.deepEqual(has(['catalog', 'orders']), [false, false])
  })

  it('are refused with a reason where they cannot be left out', () => {
    const refused: [string[], RegExp][] = [
      [['catalog'], /orders need products; leave out orders as well as catalog/],
      [['order'], /without: order is not among catalog, .*orders; did you mean orders\?/],
      [['users'], /without: users is not among catalog, .*orders/],
    ]
    for (const [without, reason] of refused)
      assert.throws(
        () => featuresWithout(without as OptionalFeature[]), // as JavaScript or a file may give them
        (error: unknown) => error instanceof ConfigError && reason.test(error.message),
      )
  })
})
