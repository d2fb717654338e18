/** A subscription gets every event that is committed after its reply, whatever is in progress meanwhile. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { writeEvent } from '../../../src/core/events/publish.ts'
import { inTransaction } from '../../../src/core/transaction.ts'
import type { Client } from '../../support/client.ts'
import { isLockWaiting } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startOther } from '../../support/instance.ts'
import { runsOf } from '../../support/run/extent.ts'
import { eventIds, publish, type Scene, setScene } from '../../support/webhooks/delivery-scene.ts'

/** Each with a subscription of its own. */
const rounds = runsOf(8, 40)
const publishers = 3
const path = '/api/webhooks/subscriptions'

onEachDatabase('A subscription', (database) => {
  let scene: Scene
  before(async () => {
    scene = await setScene(database)
  })
  after(() => scene[Symbol.asyncDispose]())

  for (const [about, begin] of [
    ['that is made', async (host: Client, url: string) => host.post(path, { url, events: ['thing.*'] })],
    ['that wants more', widened],
  ] as const) {
    it(`${about} is answered for when no event is under way that would pass it by`, async () => {
      const { host, service } = scene.service
      const receiver = await scene.receiver()
      if (begin === widened) await scene.subscribe(receiver, { events: ['other.thing'] }, host)
      const order: string[] = []
      const isLookedFor = Promise.withResolvers<void>()
      const mayEnd = Promise.withResolvers<void>()
      const recording = inTransaction(await service.operator(), async (inside) => {
        await writeEvent(inside, 'thing.happened', {}, inside.tenant.id)
        await inside.transaction?.run('SELECT 1', [], false)
        isLookedFor.resolve()
        await mayEnd.promise
      }).then(() => order.push('recorded'))
      await isLookedFor.promise
      const subscribing = begin(host, receiver.url).then(({ status, text }) => {
        assert.ok(status < 300, text)
        order.push('subscribed')
      })
      await Promise.race([subscribing, isWaiting()])
      mayEnd.resolve()
      await Promise.all([recording, subscribing])
      assert.deepEqual(order, ['recorded', 'subscribed'])
      const id = await scene.publish('thing.happened', {}, host)
      await scene.look()
      assert.deepEqual(eventIds(receiver.requests), [id])
      // The next test has an event that nobody else wants.
      for (const each of (await host.get(path)).body) await host.delete(`${path}/${each.id}`)
    })
  }

  it(`gets all that is published from then on, in ${rounds} rounds beside those who publish`, async () => {
    const other = await startOther(scene.service)
    const { accessToken } = await scene.service.signIn('worker', scene.tenant.id)
    const clients = [scene.user, other.anonymous.withToken(accessToken)]
    const receiver = await scene.receiver()
    const expected: string[] = []
    for (let round = 0; round < rounds; round++) {
      const type = `round-${round}.passed`
      const isWide = round % 2 === 1
      const first = isWide ? [`never-${round}.*`] : [`round-${round}.*`]
      const members = { url: receiver.url, events: first }
      const made = isWide ? await scene.user.post(path, members) : null
      const begun = new Publishing(clients, type)
      await delay(randomInt(5))
      const answer =
        made === null
          ? await scene.user.post(path, members)
          : await scene.user.send('PATCH', `${path}/${made.body.id}`, { events: [`round-${round}.*`] })
      assert.ok(answer.status < 300, answer.text)
      expected.push(...(await begun.endAfter()))
    }
    await Promise.all([scene.look(), other.service.queueWorkers.drain()])
    await other.stop()
    const told = new Set(eventIds(receiver.requests))
    assert.ok(expected.length >= rounds * publishers)
    assert.deepEqual(
      expected.filter((id) => !told.has(id)),
      [],
    )
  })

  /** On SQLite nobody writes beside the one that records. */
  async function isWaiting(): Promise<void> {
    const { databaseUrl } = scene.service.config
    if (database === 'sqlite') await delay(50)
    else await eventually('it waits', soonMs, () => isLockWaiting(databaseUrl, "locktype = 'advisory'"))
  }
})

async function widened(host: Client) {
  const [only] = (await host.get(path)).body
  return host.send('PATCH', `${path}/${only.id}`, { events: ['other.thing', 'thing.*'] })
}

/** Several publish without a pause. */
class Publishing {
  readonly #later: string[] = []
  readonly #running: Promise<void>[]
  #isSubscribed = false

  constructor(clients: readonly Client[], type: string) {
    this.#running = Array.from({ length: publishers }, (_, index) =>
      this.#run(clients[index % clients.length], type),
    )
  }

  /** @returns the events that were sent off from now on, one of each */
  async endAfter(): Promise<string[]> {
    this.#isSubscribed = true
    await Promise.all(this.#running)
    return this.#later
  }

  async #run(client: Client | undefined, type: string): Promise<void> {
    assert.ok(client)
    for (let isLater = false; !isLater; ) {
      isLater = this.#isSubscribed
      const id = await publish(client, type)
      if (isLater) this.#later.push(id)
    }
  }
}
