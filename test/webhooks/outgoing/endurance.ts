/** Events under load while the service is killed or its database is away: acknowledged events arrive. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '../../support/client.ts'
import { openStore, type Store } from '../../support/database/store.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { grown, startLoad } from '../../support/load.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { type RunningService, Workplace } from '../../support/process/workplace.ts'
import { person } from '../../support/service.ts'
import { subscribe } from '../../support/webhooks/delivery-scene.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'

const publishers = 8
const timeoutMs = 3000
/** A lease lasts two time-outs; deliveries of a killed instance are taken over within five seconds more. */
const takeoverMs = 2 * timeoutMs + 5000

export interface Report {
  acknowledged: number
  duplicates: number
  /** Deliveries that were being sent at the moments of the kills, or of the outage. */
  interrupted: number
}

/**
 * @param rounds how often it is killed with `kill -9`, at random moments
 * @param between how many events are acknowledged before each kill, at least and at most
 */
export async function deliverDespiteKills(
  database: DatabaseName,
  rounds: number,
  [least, most]: readonly [number, number] = [20, 120],
): Promise<Report> {
  await using stage = await startStage(database)
  const interrupted = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const load = stage.load()
    await load.acknowledged(randomInt(least, most))
    await stage.service().kill()
    await load.stop()
    for (const lease of await leasesIn(stage.store)) interrupted.add(lease)
    await stage.restart()
  }
  const load = stage.load()
  await load.acknowledged(20)
  await load.stop()
  await stage.allArrived(takeoverMs)
  return { ...stage.report(), interrupted: interrupted.size }
}

/**
 * Two processes on one PostgreSQL under load; the busier one is killed, and nobody starts another.
 * @param own the deliveries are those of a tenant with a database of its own
 */
export async function endureTakeover(own = false): Promise<Report & { duplicatesOfBoth: number }> {
  await using stage = await startStage('postgres', {}, own)
  await stage.restart()
  const both = stage.load()
  await both.acknowledged(200)
  await both.stop()
  await stage.allArrived(takeoverMs)
  const { duplicates: duplicatesOfBoth } = stage.report()
  const load = stage.load()
  await load.acknowledged(100)
  // Nothing is answered, so that there is something to interrupt when the kill comes.
  const { release, waiting } = stage.hold()
  await eventually('something to interrupt', soonMs, async () => waiting() > 0)
  // The one that takes the events; the other has only looked on so far.
  await stage.service().kill()
  const interrupted = await leasesIn(stage.store)
  release()
  await load.stop()
  await stage.allArrived(takeoverMs)
  return { ...stage.report(), duplicatesOfBoth, interrupted: interrupted.length }
}

export interface Outage {
  ms: number
  /** The database cannot be written to until the end. */
  begin(): Promise<void>
  end(): Promise<void>
  /** Reads in it, past the service. */
  rows: Store['rows']
}

/**
 * @returns with those that were being sent when it began: until its end nothing else takes a lease, or ends one;
 * `refused` is how many requests were answered with 503 meanwhile
 */
export async function endureOutage(
  database: DatabaseName,
  settings: Record<string, string>,
  outageOf: (store: Store) => Outage,
): Promise<Report & { refused: number }> {
  await using stage = await startStage(database, settings)
  const outage = outageOf(stage.store)
  const load = stage.load()
  await load.acknowledged(100)
  await outage.begin()
  await delay(outage.ms)
  const interrupted = await leasesIn(outage)
  await outage.end()
  const before = stage.report().acknowledged
  await load.acknowledged(100)
  await load.stop()
  assert.ok(stage.report().acknowledged >= before + 100)
  await stage.allArrived(takeoverMs)
  // What is sent twice may come last.
  const waiting = 'SELECT id FROM delivery WHERE queue IS NOT NULL'
  await eventually('an empty queue', takeoverMs, async () => (await outage.rows(waiting)).length === 0)
  return { ...stage.report(), interrupted: interrupted.length, refused: load.refused() }
}

async function startStage(database: DatabaseName, settings: Record<string, string> = {}, own = false) {
  const store = await openStore(database)
  const ownStore = own ? await openStore(database) : null
  const place = new Workplace({ ...store.settings, WEBHOOK_TIMEOUT_MS: `${timeoutMs}`, ...settings })
  const arrived = new Map<string, number>()
  let held: Promise<void> | null = null
  let waiting = 0
  const receiver = await startReceiver((response, { headers }) => {
    const id = String(headers['x-webhook-id'])
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
    const answer = () => response.end()
    if (held === null) return void setTimeout(answer, randomInt(0, 20))
    waiting++
    void held.then(answer)
  })
  let service: RunningService = await place.serve()
  let { authorization } = await createAdmin(service)
  if (ownStore !== null) {
    const host = new Client(service.url, { authorization })
    authorization = await tenantAt(host, ownStore.settings['DATABASE_URL'] ?? '')
  }
  const acknowledged = new Set<string>()
  const caller = () => new Client(service.url, { authorization })
  await subscribe(caller(), receiver, { events: ['load.made'] })
  return {
    store: ownStore ?? store,
    service: () => service,
    restart: async () => {
      service = await place.serve()
    },
    load: () => publishOn(caller(), acknowledged),
    /** Requests that arrive from now on are not answered. @returns how many there are, and what answers them */
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      waiting = 0
      const release = () => {
        held = null
        resolve()
      }
      return { release, waiting: () => waiting }
    },
    allArrived: async (withinMs: number) => {
      const missing = () => [...acknowledged].filter((id) => !arrived.has(id))
      const all = async () => missing().length === 0
      await eventually('the arrival of all that was acknowledged', withinMs, all).catch((error: unknown) => {
        throw new Error(`${missing().length} of ${acknowledged.size} are lost: ${missing().slice(0, 3)}`, {
          cause: error,
        })
      })
    },
    report: () => ({
      acknowledged: acknowledged.size,
      duplicates: [...arrived.values()].reduce((sum, times) => sum + times - 1, 0),
    }),
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]()
      await receiver.close()
      await store[Symbol.asyncDispose]()
      await ownStore?.[Symbol.asyncDispose]()
    },
  }
}

/** A tenant with a database of its own. @returns the header of an administrator of it */
async function tenantAt(host: Client, connectionString: string): Promise<string> {
  const [id, admin] = ['own', person('boss')]
  const made = await host.post('/api/tenants', { id, name: id, admin, connectionString })
  assert.equal(made.status, 201, made.text)
  const [userName, password] = [admin['userName'], admin['password']]
  const headers = { 'x-tenant-id': id }
  const answer = await new Client(host.baseUrl).post('/api/auth/login', { userName, password }, headers)
  assert.equal(answer.status, 200, answer.text)
  return `Bearer ${answer.body.accessToken}`
}

/** Publishes without a pause; what is refused or not answered was not acknowledged. */
function publishOn(client: Client, acknowledged: Set<string>) {
  let refused = 0
  const load = startLoad(Array<Client>(publishers).fill(client), async (publisher) => {
    const answer = await publisher.post('/api/events', { type: 'load.made', data: {} }).catch(() => null)
    if (answer?.status === 202) acknowledged.add(answer.body.id)
    else await delay(20)
    if (answer?.status === 503) refused++
  })
  return {
    /** Waits until so many more are acknowledged. */
    acknowledged: (more: number) => grown(acknowledged, more),
    refused: () => refused,
    stop: () => load.stop(),
  }
}

/** With the lease, because on PostgreSQL a lease may outlive the next kill. */
async function leasesIn(store: Pick<Store, 'rows'>): Promise<string[]> {
  const rows = await store.rows('SELECT id, lease FROM delivery WHERE lease IS NOT NULL')
  return rows.map(({ id, lease }) => `${id}/${lease}`)
}
