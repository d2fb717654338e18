/** Three instances on one PostgreSQL under every kind of write; one is killed and restarted. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Client } from '../support/client.ts'
import { openStore } from '../support/database/store.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { newProduct } from '../support/orders.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { Workplace } from '../support/process/workplace.ts'
import { hearAll, isAmong, missing } from './acknowledged.ts'
import { Caller } from './caller.ts'
import { Follower } from './follower.ts'
import { MixedLoad } from './mixed-load.ts'

const timeoutMs = 1000
/** A lease is two time-outs; what the killed one was sending is taken over within five seconds more. */
const takeoverMs = 2 * timeoutMs + 5000
/** A request to the others is not held up by the one that was killed. */
const goOnWithinMs = 5000

describe('Three instances, of which one is killed with kill -9 under load and started again,', () => {
  it('lose no write, no event and no word to a follower, and the others go on', async () => {
    await using stage = await startThreeInstances()
    const { store, place, first, otherUrls, urls, authorization, delivered } = stage
    await using follower = new Follower(urls, { authorization })
    await eventually('the stream', soonMs, async () => follower.streams.length === 1)

    await using load = new MixedLoad(new Caller(urls, { authorization }), stage.productId)
    await load.answered(60, urls)
    await eventually('an order to resume behind', soonMs, async () => follower.orders.length > 0)
    await first.kill()
    const killedAt = performance.now()
    await load.answered(20, otherUrls)
    assert.ok(performance.now() - killedAt < goOnWithinMs)
    await load.answered(60, otherUrls)
    const again = await place.serve({ PORT: new URL(first.url).port })
    await load.answered(40, urls)
    follower.moveTo(first.url)
    await load.answered(20, urls)
    await load.end()

    await eventually('every event', takeoverMs, async () => isAmong(load.events, delivered))
    assert.deepEqual(await missing(store, load.rows), [])
    const orderIds = [...load.rows.keys()].filter((id) => load.events.has(`order.created ${id}`))
    const followed = () => new Set(follower.orders.map(({ id }) => id))
    await eventually('every order', soonMs, async () => isAmong(orderIds, followed()))
    assert.deepEqual(
      follower.orders.map(({ number }) => number),
      follower.orders.map((_order, index) => index + 1),
      'each order once, in the order of the commits, those included whose answer nobody got',
    )
    assert.equal(follower.streams[0], first.url)
    assert.ok(otherUrls.includes(follower.streams[1] ?? ''), 'it resumed at another one')
    assert.equal(follower.streams.at(-1), first.url, 'and where it had begun, once that was back')
    assert.match(
      (await again.anonymous.get('/metrics')).text,
      /^webhook_attempts_total\{outcome="success".*[1-9]/m,
    )
  })
})

async function startThreeInstances() {
  const store = await openStore('postgres')
  const place = new Workplace({
    ...store.settings,
    BASE_URL: 'http://tenantry.test',
    WEBHOOK_TIMEOUT_MS: `${timeoutMs}`,
    LOG_LEVEL: 'warn',
  })
  const first = await place.serve()
  const others = await Promise.all([place.serve(), place.serve()])
  const { authorization } = await createAdmin(first)
  const user = new Client(others[0].url, { authorization })
  const { delivered, close } = await hearAll(user)
  const { id: productId } = await newProduct(user)
  return {
    store,
    place,
    first,
    authorization,
    delivered,
    productId,
    urls: [first, ...others].map(({ url }) => url),
    otherUrls: others.map(({ url }) => url),
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]()
      await close()
      await store[Symbol.asyncDispose]()
    },
  }
}
