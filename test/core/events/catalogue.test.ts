import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { openOperator } from '../../../src/cli/with-operator.ts'
import type { Context } from '../../../src/core/context.ts'
import { publish } from '../../../src/core/events/publish.ts'
import type { Feature } from '../../../src/core/feature/feature.ts'
import { newId } from '../../../src/core/id.ts'
import { inCatalogue, inTransaction } from '../../../src/core/transaction.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventsOf } from '../../support/orders.ts'
import { startService, type TestService } from '../../support/service.ts'

const Sent = Type.Object({ parcelId: Type.String({ examples: ['p-1'] }) })

declare module '../../../src/index.ts' {
  interface EventPayloads {
    'parcel.sent': Static<typeof Sent>
  }
}

const parcels: Feature = {
  name: 'parcel',
  events: { 'parcel.sent': { summary: 'A parcel was sent.', payload: Sent } },
}

interface Described {
  type: string
  summary: string
  schema: { required: string[]; properties: object }
  example: object
}

onEitherDatabase('The catalogue of events', (database) => {
  let service: TestService
  let context: Context
  before(async () => {
    service = await startService(database, {}, { features: [parcels] })
    context = await service.service.operator()
  })
  after(() => service.stop())

  const types = async (): Promise<Described[]> => {
    const answer = await service.host.get('/api/webhooks/event-types')
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const published = async () => (await eventsOf(service, 'default')).length

  it('describes each type in the order of their names, those of other features among them', async () => {
    const names = (await types()).map(({ type }) => type)
    assert.deepEqual(names, names.toSorted())
    for (const name of ['order.created', 'order.updated', 'order.paid', 'product.updated', 'parcel.sent']) {
      assert.ok(names.includes(name), name)
    }
    for (const name of names) assert.match(name, /^[a-z]+([A-Z][a-z]+)*\.[a-z]+$/)
  })

  it('gives an example of each, which is as its schema says', async () => {
    for (const { type, summary, schema, example } of await types()) {
      assert.match(summary, /^[A-Z].+\.$/, type)
      assert.deepEqual(Compile(schema).Errors(example), [], type)
      assert.equal(Compile(schema).Check([]), false, type)
    }
  })

  it('says what order.created tells', async () => {
    const created = (await types()).find(({ type }) => type === 'order.created')
    const members = ['orderId', 'customerId', 'total']
    assert.deepEqual(Object.keys(created?.example ?? {}), members)
    assert.deepEqual(created?.schema.required, members)
    assert.deepEqual(Object.keys(created?.schema.properties ?? {}), members)
  })

  it('holds a payload of one’s own to its schema', async () => {
    await inTransaction(context, (inside) => publish(inside, 'parcel.sent', { parcelId: 'p-9' }))
    assert.deepEqual((await eventsOf(service, 'default')).at(-1)?.data, { parcelId: 'p-9' })
  })

  it('refuses a payload that is not as it says, and the change with it', async () => {
    const known = await published()
    const work = inTransaction(context, async (inside) => {
      await publish(inside, 'order.paid', { orderId: newId(), customerId: 'c', total: 1 })
      await publish(inside, 'order.paid', { orderId: 'desk', customerId: 'c', total: 1 })
    })
    await assert.rejects(work, /payload of order\.paid .*\/orderId must match format "uuid"/)
    assert.equal(await published(), known)
  })

  it('refuses a type that is in no catalogue', async () => {
    const unknown = 'parcel.lost' as 'parcel.sent' // what a program without types could ask for
    const work = inTransaction(context, (inside) => publish(inside, unknown, { parcelId: 'p-1' }))
    await assert.rejects(work, /No feature declares the event parcel\.lost/)
  })

  it('has each name once', async () => {
    const again: Feature = { name: 'again', events: parcels.events ?? {} }
    const starting = openOperator(service.config, { features: [parcels, again] })
    await assert.rejects(starting, /Two features declare the event parcel\.sent/)
  })

  it('gives an event to the tenant that is named', async () => {
    const tenant = await service.newTenant()
    await inCatalogue(context, (inside) =>
      publish(inside, 'tenant.deactivated', { tenantId: tenant.id }, tenant.id),
    )
    assert.equal((await eventsOf(service, tenant.id)).at(-1)?.type, 'tenant.deactivated')
  })
})
