/** Events of orders are sent in the order of their commits, which wait for the number of the order. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../../../support/databases.ts'
import { EventReader, type ServerEvent } from '../../../support/graphql/event-reader.ts'
import { type Instance, startInstance } from '../../../support/instance.ts'
import { newProduct, orderOf } from '../../../support/orders.ts'
import { sharedService, type TestService, type TestTenant, uniqueName } from '../../../support/service.ts'

const count = 40
const clients = 16

onEachDatabase('Orders that are placed side by side', (database) => {
  let service: TestService
  let tenant: TestTenant
  let another: Instance | null = null
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    if (database === 'postgres') another = await startInstance(service)
  })
  after(async () => {
    await another?.stop()
    await service.stop()
  })

  it('are told in the order of their numbers, from any mark in between', async () => {
    const body = orderOf([[await newProduct(tenant.user), 1]])
    const { authorization = '' } = tenant.user.headers
    const callers = [tenant.user, another?.anonymous.withToken(authorization.slice('Bearer '.length))]
    const order = async (place: number): Promise<void> => {
      const caller = callers[place % 2] ?? tenant.user
      // With a key a transaction writes before it asks for its number.
      const made = await caller.post('/api/orders', body, { 'idempotency-key': uniqueName('order') })
      assert.equal(made.status, 201, made.text)
    }
    await using first = await EventReader.open(tenant.user)
    await order(0)
    const { id: mark } = await first.next()

    const places = Array.from({ length: count }, (_, place) => place).values()
    const work = async () => {
      for (const place of places) await order(place)
    }
    await Promise.all(Array.from({ length: clients }, work))

    const numbers = Array.from({ length: count }, (_, index) => index + 2)
    await using whole = await EventReader.open(tenant.user, { after: mark })
    const told = await whole.inbox.take(count)
    assert.deepEqual(told.map(numberIn), numbers)
    assert.deepEqual((await first.inbox.take(count)).map(numberIn).toSorted(ascending), numbers)
    for (const place of [0, 1, 20, count - 2]) {
      await using rest = await EventReader.open(tenant.user, { after: told[place]?.id ?? '' })
      const missed = numbers.slice(place + 1)
      assert.deepEqual((await rest.inbox.take(missed.length)).map(numberIn), missed, `from ${place}`)
      assert.equal(await rest.inbox.nextWithin(50), null)
    }
  })
})

function numberIn({ data }: ServerEvent): number {
  return Number(data?.data?.onOrderCreated?.number)
}

function ascending(one: number, other: number): number {
  return one - other
}
