/**
 * A process with a service that counts what it does for requests: functions entered, promises made, entries removed from
 * maps and sets.
 */
import { createHook } from 'node:async_hooks'
import { Session } from 'node:inspector/promises'
import type { DatabaseName } from '../../support/databases.ts'
import { insertProducts } from '../../support/product-rows.ts'
import { startService } from '../../support/service.ts'
import { sent } from './sent.ts'

export interface Prepared {
  url: string
  /** The headers of a caller with a token. */
  headers: Record<string, string>
  tenantId: string
  productIds: string[]
}

export interface Counted {
  promises: number
  /** Sent to PostgreSQL together, and answered together. */
  trips: number
  /** Of PostgreSQL's protocol, sent to it. */
  messages: number
  /**
   * Entries removed from a `Map` or a `Set`. One that every request enters and leaves is rebuilt again and again, and what
   * its abandoned tables refer to stays alive until a full garbage collection.
   */
  removals: number
  /** Functions entered, by where they are. */
  functions: { src: number; fastify: number; node: number; other: number }
}

const database = process.argv[2] as DatabaseName
const products = 500

let promises = 0
let removals = 0
for (const collection of [Map.prototype, Set.prototype] as (Map<unknown, unknown> | Set<unknown>)[]) {
  const remove = collection.delete
  collection.delete = function countedRemoval(this: typeof collection, key: unknown) {
    const isRemoved = Reflect.apply(remove, this, [key])
    if (isRemoved) removals++
    return isRemoved
  }
}
const hook = createHook({
  init: (_id, type) => {
    if (type === 'PROMISE') promises++
  },
})
let covered: Scripts = []
const session = new Session()
session.connect()

const service = await startService(database)
const tenant = await service.newTenant()
const names = Array.from({ length: products }, (_, index) => `Product ${String(index).padStart(5, '0')}`)
const productIds = await insertProducts(service, tenant.id, names)
slowTime()
await session.post('Profiler.enable')
process.on('message', (order: Order) => void carryOut(order))
send({ url: service.url, headers: { ...tenant.admin.headers }, tenantId: tenant.id, productIds })

/** Functions and promises are counted one after the other: the hook of promises enters functions of its own. */
export type Order = 'count functions' | 'count promises' | 'count removals' | 'report' | 'stop'

async function carryOut(order: Order): Promise<void> {
  switch (order) {
    case 'count functions':
      await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
      return send(null)
    case 'count promises':
      covered = (await takeCoverage()).result
      await session.post('Profiler.stopPreciseCoverage')
      promises = 0
      Object.assign(sent, { trips: 0, messages: 0 })
      hook.enable()
      return send(null)
    case 'count removals':
      removals = 0
      return send(null)
    case 'report':
      hook.disable()
      return send(counted(covered))
    case 'stop':
      await service.stop()
      process.disconnect?.()
  }
}

/**
 * Lets time pass slowly: work that has taken its time of a turn waits for the next one, and changes are announced to other
 * instances every few milliseconds, which would make more of each request on a slow machine; and counting slows everything.
 */
function slowTime(): void {
  const slowness = 20
  const [now, later] = [performance.now.bind(performance), globalThis.setTimeout]
  const beganAtMs = now()
  performance.now = () => beganAtMs + (now() - beganAtMs) / slowness
  const setLater = (work: () => void, ms = 0) => later(work, ms * slowness)
  globalThis.setTimeout = Object.assign(setLater, later)
}

type Scripts = Awaited<ReturnType<typeof takeCoverage>>['result']

function takeCoverage() {
  return session.post('Profiler.takePreciseCoverage')
}

function counted(scripts: Scripts): Counted {
  const functions = { src: 0, fastify: 0, node: 0, other: 0 }
  for (const { url, functions: found } of scripts) {
    if (url === import.meta.url) continue
    for (const { ranges } of found) functions[placeOf(url)] += ranges[0]?.count ?? 0
  }
  return { promises, ...sent, removals, functions }
}

function placeOf(url: string): keyof Counted['functions'] {
  if (url.includes('/node_modules/')) return /fastify|find-my-way|avvio/.test(url) ? 'fastify' : 'other'
  if (url.startsWith('node:')) return 'node'
  return url.includes('/src/') ? 'src' : 'other'
}

function send(message: Prepared | Counted | null): void {
  process.send?.(message)
}
