/**
 * What the service does for a request, in counts: functions entered, promises made, messages sent to PostgreSQL,
 * entries removed from maps and sets. Unlike
 * times they are the same on every machine, so that a change that makes every request dearer fails here.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseName, onEitherDatabase } from '../../support/databases.ts'
import type { Counted, Order, Prepared } from './counting-process.ts'

/** Sent by as many connections at once. */
const connections = 8
const requests = 200
/** For each request, when all arrive at once and take turns. On PostgreSQL permits of owners, which live long, are removed. */
const maxRemovals: Record<DatabaseName, number> = { sqlite: 0.5, postgres: 2 }

interface Bound {
  functions: number
  promises: number
  trips?: number
  messages?: number
}

type Bounds = Record<DatabaseName, Bound>

/** As measured. More than a tenth above is a fault, unless the change is worth it: then these are the new figures. */
const usual: Record<'get' | 'list' | 'graphql' | 'create', Bounds> = {
  get: {
    sqlite: { functions: 852, promises: 7 },
    postgres: { functions: 1223, promises: 16, trips: 1, messages: 3 },
  },
  // With the cursor of a list that can be followed.
  list: {
    sqlite: { functions: 1030, promises: 26 },
    postgres: { functions: 1362, promises: 29.4, trips: 1, messages: 3 },
  },
  graphql: {
    sqlite: { functions: 1310, promises: 32 },
    postgres: { functions: 1650, promises: 40, trips: 1, messages: 3 },
  },
  create: {
    sqlite: { functions: 1300, promises: 29 },
    postgres: { functions: 2056, promises: 32, trips: 1.1, messages: 7.3 },
  },
}

onEitherDatabase('The work for a request', (database) => {
  let child: ChildProcess
  let service: Prepared
  const agent = new Agent({ keepAlive: true, maxSockets: requests })
  before(async () => {
    child = fork(new URL('counting-process.ts', import.meta.url), [database])
    service = await answer<Prepared>()
  })
  after(async () => {
    agent.destroy()
    child.send('stop' satisfies Order)
    await once(child, 'exit')
  })

  async function answer<T>(): Promise<T> {
    const answered = new AbortController()
    const { signal } = answered
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error('The process that counts has ended.')
    })
    try {
      const [message] = await Promise.race([once(child, 'message', { signal }), ended])
      return message
    } finally {
      ended.catch(() => undefined)
      answered.abort()
    }
  }

  function order<T>(what: Order): Promise<T> {
    child.send(what)
    return answer<T>()
  }

  function send(method: string, path: string, headers: Record<string, string>, body?: object): Promise<void> {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const ofBody =
        text === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length }
      const sent = request(
        `${service.url}${path}`,
        { method, agent, headers: { ...headers, ...ofBody } },
        (reply) => {
          reply.resume().on('end', () => {
            if (reply.statusCode === 200 || reply.statusCode === 201) resolve()
            else reject(new Error(`${method} ${path} was answered with ${reply.statusCode}`))
          })
        },
      )
      sent.on('error', reject).end(text)
    })
  }

  const document =
    'query($p: Decimal!) { products(where: { price: { gt: $p } }) { id name price category { name } } }'
  const kinds: Record<keyof typeof usual, (index: number) => Promise<void>> = {
    get: (index) => send('GET', `/api/products/${service.productIds[index % 200]}`, service.headers),
    list: () => send('GET', '/api/products?limit=50', service.headers),
    // About fifty of the rows.
    graphql: (index) =>
      send('POST', '/graphql', service.headers, {
        query: document,
        variables: { p: 4.4 + (index % 50) / 1000 },
      }),
    create: (index) =>
      send('POST', '/api/products', service.headers, {
        name: `New ${index}`,
        price: 1,
        description: 'A new one',
      }),
  }

  async function sendAll(kind: keyof typeof usual, atOnce = connections): Promise<void> {
    let next = 0
    const sendSome = async () => {
      while (next < requests) await kinds[kind](next++)
    }
    await Promise.all(Array.from({ length: atOnce }, sendSome))
  }

  async function count(kind: keyof typeof usual): Promise<Record<string, number>> {
    await sendAll(kind)
    await order('count functions')
    await sendAll(kind)
    await order('count promises')
    await sendAll(kind)
    const { functions, promises, trips, messages } = await order<Counted>('report')
    await sendAll(kind, requests)
    await order('count removals')
    await sendAll(kind, requests)
    const { removals } = await order<Counted>('report')
    const all = Object.values(functions).reduce((sum, each) => sum + each, 0)
    return {
      functions: all / requests,
      promises: promises / requests,
      trips: trips / requests,
      messages: messages / requests,
      removals: removals / requests,
    }
  }

  /** @returns the counts that are more than a tenth above the usual ones */
  async function excessOf(kind: keyof typeof usual): Promise<string[]> {
    const found = await count(kind)
    return Object.entries({ ...usual[kind][database], removals: maxRemovals[database] }).flatMap(
      ([name, bound]) => {
        const figure = found[name] ?? 0
        return figure <= 1.1 * bound ? [] : `${name}: ${figure.toFixed(1)} a request, usually ${bound}`
      },
    )
  }

  for (const kind of Object.keys(usual) as (keyof typeof usual)[])
    it(`stays what it was: ${kind}`, async () => {
      let excess = await excessOf(kind)
      // A busy machine makes reads slow, which are then scans for a second.
      for (let again = 0; again < maxRepeats && excess.length > 0; again++) {
        await delay(slowForMs)
        excess = await excessOf(kind)
      }
      assert.deepEqual(excess, [])
    })
})

const slowForMs = 1100
/** What has grown is above its bound each time. */
const maxRepeats = 8
