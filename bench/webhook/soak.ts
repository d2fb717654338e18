/**
 * `npm run soak`: 300 events a second for ten minutes. Memory stays flat, and the queue is empty at the end.
 * `npm run soak -- --postgres` does the same on PostgreSQL.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { callerOf } from '../client.ts'
import { databaseAt } from '../row/contest.ts'
import { median } from '../row/finding.ts'
import { initialize, removeFolder, startService } from '../service.ts'
import { residentMb } from '../usage.ts'
import { publishSteadily, subscribe } from './publisher.ts'
import { percentile, Receivers } from './receivers.ts'

const perSecond = 300
/** Resident memory moves by itself; a leak of one small object for each event would be more. */
const mostGrowthMb = 40
const sampleMs = 5000

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, postgres: { type: 'boolean', default: false } },
})
const server = values.postgres ? await startPostgres() : null
const settings: Record<string, string> =
  server === null ? {} : { DATABASE_URL: databaseAt(server.url, 'soak') }
process.exitCode = (await soak(Number(values.minutes) * 60, settings)) ? 0 : 1
await server?.stop()

async function soak(seconds: number, database: Record<string, string>): Promise<boolean> {
  const receivers = await Receivers.start()
  const service = await startService(database)
  const { token, send } = await initialize(service.url)
  await subscribe(send, receivers.url)
  await receivers.begin()
  const memory: number[] = []
  const sampling = setInterval(() => memory.push(residentMb(service.pid)), sampleMs)
  const events = await publishSteadily(service.url, token, seconds, perSecond)
  const arrivals = await receivers.received(events, 60_000)
  clearInterval(sampling)
  await sleep(1000)
  const { text } = await callerOf(service.url)('GET', '/metrics')
  const depth = Number(/^webhook_queue_depth (\d+)/m.exec(text)?.[1])
  await service.stop()
  removeFolder(service.folder)
  receivers.stop()
  const fifth = Math.max(1, Math.floor(memory.length / 5))
  const [early, late] = [median(memory.slice(fifth, 2 * fifth)), median(memory.slice(-fifth))]
  console.log(
    `${events} events in ${seconds} s; ${arrivals.count} arrived, p95 ${percentile(arrivals.latenciesMs, 0.95)} ms`,
  )
  console.log(`memory ${early.toFixed(0)} → ${late.toFixed(0)} MB, queue ${depth}`)
  return arrivals.count === events && depth === 0 && late - early <= mostGrowthMb
}
