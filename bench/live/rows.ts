/** How soon a change reaches a thousand streams with ten thousand followed lists, under a rule of rows. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { expectJson, mapAtOnce, type Send } from '../client.ts'
import { collectable, keptMb } from '../kept-memory.ts'
import { databaseAt } from '../row/contest.ts'
import { type Finding, median } from '../row/finding.ts'
import { initialize, makeFolder, type RunningService, removeFolder, startService } from '../service.ts'
import { sharedNow } from '../shared-clock.ts'
import { cpuMs, residentMb } from '../usage.ts'
import { percentile } from '../webhook/receivers.ts'
import type { Arrival, Following } from './followers.ts'

export interface LiveEffort {
  seconds: number
}

export const row = 'live'
const callers = 100
const streamsOfCaller = 10
const streams = callers * streamsOfCaller
const listsOfStream = 10
const queues = 100
/** Each queue is followed by so many. */
const followersOfQueue = (streams * listsOfStream) / queues
const tickets = 400
const changesPerSecond = 50
const warmUpSeconds = 2
const threads = 2
const arriveWithinMs = 30_000
const mostMs = 250
const mostKb = 30

const project = resolve(import.meta.dirname, '../..')
const application = pathToFileURL(join(project, 'bench/live/application.ts')).href

export async function measureLive({ seconds }: LiveEffort): Promise<Finding[]> {
  const findings = await measureOn('SQLite', {}, seconds)
  const server = await startPostgres()
  try {
    const settings = {
      DATABASE_URL: databaseAt(server.url, 'live'),
      MASTER_KEY: randomBytes(32).toString('base64'),
      BASE_URL: 'http://bench.test',
    }
    findings.push(...(await measureOn('PostgreSQL', settings, seconds)))
  } finally {
    await server.stop()
  }
  return findings
}

async function measureOn(
  database: string,
  settings: Record<string, string>,
  seconds: number,
): Promise<Finding[]> {
  const service = await startApplication({ ...settings, ...collectable, TRUST_PROXY: 'true' })
  const { send } = await initialize(service.url)
  const made = await mapAtOnce([...Array(tickets).keys()], 4, (index) =>
    expectJson<{ id: string }>(
      send('POST', '/api/tickets', { title: `Ticket ${index}`, queue: `q${index % queues}` }),
      201,
    ),
  )
  const changes = new Changes(
    send,
    made.map(({ id }) => id),
  )
  const followed = await mapAtOnce([...Array(callers).keys()], 4, (index) => streamsOf(send, index))
  // What the first requests and the first streams load is no memory of a stream.
  await changes.make(changesPerSecond)
  await endFollowers(await startFollowers(service.url, followed.flat().slice(0, threads)))
  const beforeMb = await keptMb(service)
  const workers = await startFollowers(service.url, followed.flat())
  const openedMb = residentMb(service.pid)
  const keptKb = (((await keptMb(service)) - beforeMb) * 1000) / streams
  await changes.make(warmUpSeconds * changesPerSecond)
  await arrivalsAt(workers, warmUpSeconds * changesPerSecond * followersOfQueue)
  const [usedMs, began] = [cpuMs(service.pid), performance.now()]
  const sentAt = await changes.make(seconds * changesPerSecond)
  const arrivals = await arrivalsAt(workers, sentAt.size * followersOfQueue)
  const cpu = ((cpuMs(service.pid) - usedMs) / (performance.now() - began)) * 100
  await endFollowers(workers)
  await service.stop()
  removeFolder(service.folder)
  const tookMs = arrivals.map(({ change, at }) => at - (sentAt.get(change) ?? Number.NaN))
  const p99 = percentile(tookMs, 0.99)
  const work = `${streams} streams of ${listsOfStream} lists, ${changesPerSecond} changes a second, ${database}`
  return [
    {
      row,
      work: `change sent to change received, ${work}`,
      figure: `p99 ${p99.toFixed(0)} ms`,
      target: `≤ ${mostMs} ms`,
      reached: p99 <= mostMs,
      detail: `${tookMs.length} received; median ${median(tookMs).toFixed(0)} ms, most ${percentile(tookMs, 1).toFixed(0)} ms; ${cpu.toFixed(0)} % of a core`,
    },
    {
      row,
      work: `memory of a stream, ${work}`,
      figure: `${keptKb.toFixed(0)} kB`,
      target: `≤ ${mostKb} kB`,
      reached: keptKb <= mostKb,
      detail: `${(((openedMb - beforeMb) * 1000) / streams).toFixed(0)} kB when they have opened, until garbage is collected; ${beforeMb.toFixed(0)} MB without streams`,
    },
  ]
}

async function startApplication(settings: Record<string, string>): Promise<RunningService> {
  const folder = makeFolder()
  writeFileSync(join(folder, 'tenantry.config.ts'), `export { default } from '${application}'\n`)
  const words = [join(project, 'bin/tenantry.js'), 'migrate', 'diff']
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`No migrations in ${folder}: ${stderr}`)
  return startService(settings, folder)
}

/** One row after the other, so that no two changes of a row are sent as one. */
class Changes {
  readonly #send: Send
  readonly #ids: readonly string[]
  #made = 0

  constructor(send: Send, ids: readonly string[]) {
    this.#send = send
    this.#ids = ids
  }

  /** At a steady rate. @returns when each was sent, by the id of the row and its version */
  async make(count: number): Promise<ReadonlyMap<string, number>> {
    const sentAt = new Map<string, number>()
    const began = performance.now()
    const sent: Promise<void>[] = []
    for (let index = 0; index < count; index++) {
      await sleep(Math.max(0, began + (index * 1000) / changesPerSecond - performance.now()))
      sent.push(this.#change(sentAt))
    }
    await Promise.all(sent)
    return sentAt
  }

  async #change(sentAt: Map<string, number>): Promise<void> {
    const id = this.#ids[this.#made % this.#ids.length]
    const level = 2 + Math.floor(this.#made / this.#ids.length)
    this.#made++
    const at = sharedNow()
    await expectJson(this.#send('PATCH', `/api/tickets/${id}`, { level }), 200)
    sentAt.set(`${id} ${level}`, at) // each change of the level makes a version
  }
}

async function streamsOf(send: Send, index: number): Promise<Following['streams']> {
  const own = Array.from({ length: listsOfStream }, (_each, place) => `q${(index + place * 10) % queues}`)
  const body = { name: `Follower ${index}`, permissions: ['ticket:read'], attributes: { queues: own } }
  const { key } = await expectJson<{ key: string }>(send('POST', '/api/api-keys', body), 201)
  return Array.from({ length: streamsOfCaller }, () => ({ key, queues: own }))
}

async function startFollowers(url: string, all: Following['streams']): Promise<Worker[]> {
  const script = new URL('./followers.ts', import.meta.url)
  const workers = Array.from({ length: threads }, (_each, place) => {
    const workerData: Following = { url, streams: all.filter((_stream, at) => at % threads === place) }
    return new Worker(script, { workerData })
  })
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  return workers
}

async function endFollowers(workers: readonly Worker[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.terminate()))
}

/** Waits for all of them. @throws Error when they do not come */
async function arrivalsAt(workers: readonly Worker[], count: number): Promise<Arrival[]> {
  const limit = performance.now() + arriveWithinMs
  const arrivals: Arrival[] = []
  while (arrivals.length < count) {
    if (performance.now() > limit) throw new Error(`${arrivals.length} of ${count} changes came.`)
    await sleep(100)
    for (const worker of workers) {
      worker.postMessage('arrivals')
      const [told] = await once(worker, 'message')
      for (const arrival of told as Arrival[]) arrivals.push(arrival) // it answers so
    }
  }
  return arrivals
}
