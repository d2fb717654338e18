/** How soon an order that is made reaches a thousand subscribers. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { expectJson, mapAtOnce, type Send } from '../client.ts'
import { collectable, keptMb } from '../kept-memory.ts'
import { type Finding, median } from '../row/finding.ts'
import { initialize, person, removeFolder, signIn, startService } from '../service.ts'
import { sharedNow } from '../shared-clock.ts'
import { cpuMs, residentMb } from '../usage.ts'
import { percentile } from '../webhook/receivers.ts'
import type { Arrival, Following } from './followers.ts'

export interface SubscriptionEffort {
  orders: number
}

export const row = 'subscription'
const subscribers = 1000
const threads = 2
const users = 20
const pauseMs = 100
const warmUps = 20
const arriveWithinMs = 30_000
const targetMs = 50
const mostKb = 30

export async function measureSubscriptions({ orders }: SubscriptionEffort): Promise<Finding[]> {
  const findings = await measureOn('SQLite', {}, orders, targetMs)
  const server = await startPostgres()
  try {
    findings.push(...(await measureOn('PostgreSQL', { DATABASE_URL: server.url }, orders, null)))
  } finally {
    await server.stop()
  }
  return findings
}

async function measureOn(
  database: string,
  settings: Record<string, string>,
  orders: number,
  mostMs: number | null,
): Promise<Finding[]> {
  const service = await startService({ ...settings, ...collectable, TRUST_PROXY: 'true' })
  const { send } = await initialize(service.url)
  const product = await expectJson<{ id: string }>(
    send('POST', '/api/products', { name: 'Desk', price: 1 }),
    201,
  )
  const mutation = {
    query: 'mutation ($input: CreateOrderInput!) { createOrder(input: $input) { id } }',
    variables: { input: { customerId: 'c', items: [{ productId: product.id, quantity: 1 }] } },
  }
  const order = async (): Promise<string> => {
    const { data } = await expectJson<Made>(send('POST', '/graphql', mutation), 200)
    return data.createOrder.id
  }
  const tokens = await mapAtOnce([...Array(users).keys()], 2, (index) => tokenOf(service.url, send, index))
  // What the first order and the first of them load is no memory of each.
  await order()
  await endFollowers(await startFollowers({ url: service.url, tokens, count: 1 }))
  const beforeMb = await keptMb(service)
  const workers = await startFollowers({ url: service.url, tokens, count: subscribers / threads })
  const openedMb = residentMb(service.pid)
  const keptKb = (((await keptMb(service)) - beforeMb) * 1000) / subscribers
  for (let warm = 0; warm < warmUps; warm++) {
    await order()
    await sleep(pauseMs / 2)
  }
  await arrivalsAt(workers, warmUps * subscribers)
  const usedMs = cpuMs(service.pid)
  const sentAt = new Map<string, number>()
  for (let count = 0; count < orders; count++) {
    const at = sharedNow()
    sentAt.set(await order(), at)
    await sleep(pauseMs)
  }
  const arrivals = await arrivalsAt(workers, orders * subscribers)
  const cpu = (cpuMs(service.pid) - usedMs) / orders
  await endFollowers(workers)
  await service.stop()
  removeFolder(service.folder)
  const tookMs = arrivals.map(({ order: id, at }) => at - (sentAt.get(id) ?? Number.NaN))
  const p99 = percentile(tookMs, 0.99)
  return [
    {
      row,
      work: `mutation sent to event received, ${subscribers} subscribers, ${database}`,
      figure: `p99 ${p99.toFixed(0)} ms`,
      target: mostMs === null ? null : `≤ ${mostMs} ms`,
      reached: mostMs === null || p99 <= mostMs,
      detail: `${orders} orders; median ${median(tookMs).toFixed(0)} ms, most ${percentile(tookMs, 1).toFixed(0)} ms; ${cpu.toFixed(0)} ms of CPU for each order`,
    },
    {
      row,
      work: `memory of a WebSocket with a subscription, ${subscribers} of them, ${database}`,
      figure: `${keptKb.toFixed(0)} kB`,
      target: `≤ ${mostKb} kB`,
      reached: keptKb <= mostKb,
      detail: `${(((openedMb - beforeMb) * 1000) / subscribers).toFixed(0)} kB when they have opened, until garbage is collected`,
    },
  ]
}

interface Made {
  data: { createOrder: { id: string } }
}

/** Each user signs in from an address of its own, because sign-ins from one address are limited. */
async function tokenOf(url: string, send: Send, index: number): Promise<string> {
  const userName = `follower${index}`
  await expectJson(send('POST', '/api/users', { ...person(userName), roles: ['User'] }), 201)
  return (await signIn(url, userName, { 'x-forwarded-for': `10.0.${index}.1` })).token
}

async function startFollowers(workerData: Following): Promise<Worker[]> {
  const script = new URL('./followers.ts', import.meta.url)
  const workers = Array.from({ length: threads }, () => new Worker(script, { workerData }))
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
    if (performance.now() > limit) throw new Error(`${arrivals.length} of ${count} events came.`)
    await sleep(pauseMs)
    for (const worker of workers) {
      worker.postMessage('arrivals')
      const [told] = await once(worker, 'message')
      for (const arrival of told as Arrival[]) arrivals.push(arrival) // it answers so
    }
  }
  return arrivals
}
