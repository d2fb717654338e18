/** Two instances on one PostgreSQL: followers of one get events written on the other, and can resume there. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Client } from '../../../support/client.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { EventReader, orderIn, type ServerEvent } from '../../../support/graphql/event-reader.ts'
import { openShop } from '../../../support/graphql/order-subscription.ts'
import { startInstance } from '../../../support/instance.ts'
import { newMasterKey } from '../../../support/master-key.ts'
import { Workplace } from '../../../support/process/workplace.ts'
import { startService } from '../../../support/service.ts'

/** So that nothing is found by looking: the instances tell each other. */
const never = { subscriptionSweepMs: 3_600_000 }

it('An order on either of two instances reaches the subscribers of both, without their looking for it', async () => {
  const service = await startService('postgres', {}, never)
  const other = await startInstance(service, never)
  try {
    const tenant = await service.newTenant()
    const there = new Client(other.anonymous.baseUrl, { ...tenant.user.headers })
    const shop = await openShop(tenant.user)
    await using reader = await EventReader.open(tenant.user)
    await using readerThere = await EventReader.open(there)
    for (const by of [tenant.user, there, tenant.user, there]) {
      const order = await shop.order(by)
      assert.deepEqual([await reader.next(), await readerThere.next()].map(orderIn), [order, order])
    }
    const rush = await Promise.all(
      Array.from({ length: 20 }, (_each, n) => shop.order(n % 2 ? there : tenant.user)),
    )
    for (const each of [reader, readerThere]) {
      assert.deepEqual((await each.inbox.take(20)).map(orderIn).toSorted(), rush.toSorted())
    }
  } finally {
    await other.stop()
    await service.stop()
  }
})

it('A subscriber of an instance that is killed goes on at the other: nothing is lost, nothing comes twice', async () => {
  await using held = new AsyncDisposableStack()
  const MASTER_KEY = newMasterKey()
  const living = await startService('postgres', { MASTER_KEY })
  held.defer(() => living.stop())
  const { databaseUrl } = living.config
  await using place = new Workplace({ DATABASE_URL: databaseUrl, MASTER_KEY })
  const dying = await place.serve()
  const far = living.host
  const near = new Client(dying.url, { ...far.headers })
  const shop = await openShop(far)
  await using first = await EventReader.open(near)
  let isOver = false
  const buy = async (by: Client): Promise<void> => {
    while (!isOver) await shop.order(by).catch(() => null)
  }
  const buying = [near, far].map(buy)
  const told: ServerEvent[] = await first.inbox.take(20)
  assert.equal((await dying.kill()).signal, 'SIGKILL')
  await first.ended
  told.push(...first.inbox.drain())
  await using second = await EventReader.open(far, { after: told.at(-1)?.id ?? '' })
  told.push(...(await second.inbox.take(20)))
  isOver = true
  await Promise.all(buying)
  const last = await shop.order(far)
  while (orderIn(told.at(-1) ?? assert.fail()) !== last) told.push(await second.next())
  const stored = await inspect(databaseUrl, "SELECT data FROM event WHERE type = 'order.created'")
  const made = stored.map(({ data }) => String(JSON.parse(String(data)).orderId))
  assert.deepEqual(told.map(orderIn).toSorted(), made.toSorted())
})
