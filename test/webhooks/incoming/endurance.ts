/** Webhooks under load while the service is killed: what was answered with 200 is stored, and ran once. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { maxRunsAtOnce } from '../../../src/webhooks/incoming/run/run.ts'
import { Client } from '../../support/client.ts'
import { openStore } from '../../support/database/store.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { grown, type Load, startLoad } from '../../support/load.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { runsOf } from '../../support/run/extent.ts'
import { addRule, setProvider, signed } from '../../support/webhooks/provider.ts'

const senders = 8
/** Actions of each webhook: more than one transaction runs. */
const published = maxRunsAtOnce + 2

export interface Report {
  acknowledged: number
  /** Not answered before the kill: they may have been stored. */
  unanswered: number
}

/** @param rounds how often it is killed with `kill -9`, at random moments */
export async function receiveDespiteKills(database: DatabaseName, rounds: number): Promise<Report> {
  await using store = await openStore(database)
  await using place = new Workplace({ ...store.settings, LOG_LEVEL: 'warn' })
  const sent = { acknowledged: new Set<string>(), unanswered: new Set<string>(), count: 0 }
  let service = await place.serve()
  const { authorization } = await createAdmin(service)
  const user = new Client(service.url, { authorization })
  await setProvider(user)
  for (const action of [...Array(published).fill('publish'), 'log']) await addRule(user, action)
  for (let round = 0; round < rounds; round++) {
    const load = sendOn(service.url, sent)
    await grown(sent.acknowledged, randomInt(5, runsOf(15, 40)))
    await service.kill()
    await load.stop()
    service = await place.serve()
  }
  // A provider sends again what was not answered, and now and then what was.
  const again = [...sent.unanswered, ...[...sent.acknowledged].slice(-50)]
  for (const id of again) assert.equal(await sendEvent(service.url, id), 200)
  await eventually('what was left to be done', 30_000, async () => {
    const left = await store.rows('SELECT id FROM webhook_run WHERE next_at IS NOT NULL LIMIT 1')
    return left.length === 0
  })
  const receipts = await store.rows('SELECT event_id AS name FROM webhook_receipt')
  const effects = await store.rows("SELECT data AS name FROM event WHERE type = 'stripe.load.made'")
  const all = [...sent.acknowledged, ...sent.unanswered].toSorted()
  assert.deepEqual(receipts.map(({ name }) => String(name)).toSorted(), all)
  const times = Map.groupBy(effects, ({ name }) => String(JSON.parse(String(name)).id))
  assert.deepEqual([...times.keys()].toSorted(), all)
  for (const [id, { length }] of times) assert.equal(length, published, id)
  return { acknowledged: sent.acknowledged.size, unanswered: sent.unanswered.size }
}

interface Sent {
  acknowledged: Set<string>
  unanswered: Set<string>
  count: number
}

/** Sends without a pause until it is stopped; each event until it is answered, as long as there is somebody. */
function sendOn(url: string, sent: Sent): Load {
  return startLoad(Array<string>(senders).fill(url), async (to) => {
    const id = `evt_${++sent.count}`
    const status = await sendEvent(to, id).catch(() => null)
    if (status === 200) sent.acknowledged.add(id)
    else sent.unanswered.add(id)
    if (status === null) await delay(20)
  })
}

async function sendEvent(url: string, id: string): Promise<number> {
  const text = JSON.stringify({ id, type: 'load.made' })
  const headers = { 'stripe-signature': signed(text) }
  return (await new Client(url).post('/api/webhooks/receive/stripe', text, headers)).status
}
