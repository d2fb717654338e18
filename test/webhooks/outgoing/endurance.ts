/** Events under load while the service is killed or its database is away: acknowledged events arrive. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '../../support/client.ts'
import { openStore, type Store } from '../../support/database/store.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { type RunningService, Workplace } from '../../support/process/workplace.ts'
import { runsOf } from '../../support/run/extent.ts'
import { person } from '../../support/service.ts'
import { subscribe } from '../../support/webhooks/delivery-scene.ts'
import { startTally } from './tally.ts'

/** Of a service that is to be observed. */
export const timeoutMs = 2000
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
 * @param last is done with the service that runs in the end
 */
export async function deliverDespiteKills(
  database: DatabaseName,
  rounds: number,
  [least, most]: readonly [number, number] = [20, runsOf(60, 120)],
  last: (client: Client, store: Store) => Promise<void> = async () => undefined,
): Promise<Report> {
  await using stage = await startStage(database)
  const { tally } = stage
  const interrupted = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const load = tally.load(stage.caller())
    await load.acknowledged(randomInt(least, most))
    await stage.service().kill()
    await load.stop()
    for (const lease of await leasesIn(stage.store)) interrupted.add(lease)
    await stage.restart()
  }
  const load = tally.load(stage.caller())
  await load.acknowledged(20)
  await load.stop()
  await tally.allArrived(takeoverMs)
  const report = { ...tally.report(), interrupted: interrupted.size }
  await last(stage.caller(), stage.store)
  return report
}

/**
 * Two processes on one PostgreSQL under load; the busier one is killed, and nobody starts another.
 * @param events that are acknowledged while both run, and before the kill
 * @param own the deliveries are those of a tenant with a database of its own
 */
export async function endureTakeover(
  [withBoth, before]: readonly [number, number],
  own = false,
): Promise<Report & { duplicatesOfBoth: number }> {
  await using stage = await startStage('postgres', own)
  const { tally } = stage
  await stage.restart()
  const both = tally.load(stage.caller())
  await both.acknowledged(withBoth)
  await both.stop()
  await tally.allArrived(takeoverMs)
  const { duplicates: duplicatesOfBoth } = tally.report()
  const load = tally.load(stage.caller())
  await load.acknowledged(before)
  // Nothing is answered, so that there is something to interrupt when the kill comes.
  const { release, waiting } = tally.hold()
  await eventually('something to interrupt', soonMs, async () => waiting() > 0)
  // The one that takes the events; the other has only looked on so far.
  await stage.service().kill()
  const interrupted = await leasesIn(stage.store)
  release()
  await load.stop()
  await tally.allArrived(takeoverMs)
  return { ...tally.report(), duplicatesOfBoth, interrupted: interrupted.length }
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
 * @param client publishes at the service
 * @returns with those that were being sent when it began: until its end nothing else takes a lease, or ends one;
 * `refused` is how many requests were answered with 503 meanwhile
 */
export async function endureOutage(client: Client, outage: Outage): Promise<Report & { refused: number }> {
  await using tally = await startTally()
  await subscribe(client, tally.receiver, { events: ['load.made'] })
  const each = runsOf(40, 100)
  const load = tally.load(client)
  await load.acknowledged(each)
  await outage.begin()
  await delay(outage.ms)
  const interrupted = await leasesIn(outage)
  await outage.end()
  await load.acknowledged(each)
  await load.stop()
  await tally.allArrived(takeoverMs)
  // What is sent twice may come last.
  const waiting = 'SELECT id FROM delivery WHERE queue IS NOT NULL'
  await eventually('an empty queue', takeoverMs, async () => (await outage.rows(waiting)).length === 0)
  return { ...tally.report(), interrupted: interrupted.length, refused: load.refused() }
}

async function startStage(database: DatabaseName, own = false) {
  const store = await openStore(database)
  const ownStore = own ? await openStore(database) : null
  const place = new Workplace({ ...store.settings, WEBHOOK_TIMEOUT_MS: `${timeoutMs}` })
  const tally = await startTally()
  let service: RunningService = await place.serve()
  let { authorization } = await createAdmin(service)
  if (ownStore !== null) {
    const host = new Client(service.url, { authorization })
    authorization = await tenantAt(host, ownStore.settings['DATABASE_URL'] ?? '')
  }
  const caller = () => new Client(service.url, { authorization })
  await subscribe(caller(), tally.receiver, { events: ['load.made'] })
  return {
    store: ownStore ?? store,
    tally,
    caller,
    service: () => service,
    restart: async () => {
      service = await place.serve()
    },
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]()
      await tally[Symbol.asyncDispose]()
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

/** With the lease, because on PostgreSQL a lease may outlive the next kill. */
async function leasesIn(store: Pick<Store, 'rows'>): Promise<string[]> {
  const rows = await store.rows('SELECT id, lease FROM delivery WHERE lease IS NOT NULL')
  return rows.map(({ id, lease }) => `${id}/${lease}`)
}
