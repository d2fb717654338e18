/** Requests per second of the service and of its floor, in turn, under the same requests. */
import { callerOf, expectJson, mapAtOnce, type Send } from '../client.ts'
import type { LoadRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import type { Server } from '../process.ts'
import type { Finding } from './finding.ts'
import { compareInTurn, type Rounds, type Side } from './turns.ts'

export interface Work {
  row: string
  about: string
  target: number | null
  expectedStatus: number
  requests(ids: readonly string[]): Omit<LoadRequest, 'headers'>[]
}

/** A server that holds the compared rows. */
export interface Contender {
  server: Server
  headers: Record<string, string>
  ids: string[]
}

const seededRows = 2000

export const works: Work[] = [
  {
    row: 'read',
    about: 'GET product by id',
    target: 0.7,
    expectedStatus: 200,
    requests: (ids) => ids.map((id) => ({ method: 'GET', path: `/api/products/${id}` })),
  },
  {
    row: 'list',
    about: 'GET list of 50 products',
    target: 0.85,
    expectedStatus: 200,
    requests: () => [{ method: 'GET', path: '/api/products?limit=50' }],
  },
  {
    row: 'write',
    about: 'POST product with its event',
    target: 0.6,
    expectedStatus: 201,
    requests: (ids) =>
      ids.map((_id, index) => ({
        method: 'POST',
        path: '/api/products',
        body: JSON.stringify(product(index)),
      })),
  },
]

/** Both contenders get the same rows and the same requests, the token included. */
export async function prepare(server: Server, token: string): Promise<Contender> {
  const authorization = `Bearer ${token}`
  const send = callerOf(server.url, { authorization })
  const products = Array.from({ length: seededRows }, (_, index) => product(index))
  const made = await mapAtOnce(products, 32, (body) =>
    expectJson<{ id: string }>(send('POST', '/api/products', body), 201),
  )
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' }
  return { server, headers, ids: made.map(({ id }) => id) }
}

export async function measureThroughput(
  load: Load,
  work: Work,
  contenders: { floor: Contender; ours: Contender },
  rounds: Rounds,
): Promise<Finding> {
  const { floor, ours } = contenders
  await requireSameWork(floor, ours)
  const comparison = await compareInTurn(
    load,
    { ours: sideOf(work, ours), other: sideOf(work, floor) },
    rounds,
  )
  return {
    row: work.row,
    work: work.about,
    figure: comparison.figure,
    target: work.target === null ? null : `≥ ${work.target.toFixed(2)}`,
    reached: work.target === null || comparison.ratio >= work.target,
    detail: `ours ${comparison.ours}; floor ${comparison.other}`,
  }
}

export function sideOf(work: Work, { server, headers, ids }: Contender): Side {
  const requests = work.requests(ids).map((request) => ({ ...request, headers: headersOf(request, headers) }))
  return { servers: [server], requests, expectedStatus: work.expectedStatus }
}

function headersOf({ body }: { body?: string }, headers: Record<string, string>): Record<string, string> {
  const { 'content-type': type = '', ...others } = headers
  return body === undefined ? others : { ...others, 'content-type': type }
}

/** A comparison of unlike replies would say nothing. */
async function requireSameWork(floor: Contender, ours: Contender): Promise<void> {
  const [one, other] = await Promise.all([floor, ours].map(shapeOfReplies))
  if (one !== other) throw new Error(`The replies differ:\n${one}\n${other}`)
}

async function shapeOfReplies({ server, headers, ids }: Contender): Promise<string> {
  const send: Send = callerOf(server.url, { authorization: headers['authorization'] ?? '' })
  const single = await expectJson<object>(send('GET', `/api/products/${ids[0]}`), 200)
  const page = await expectJson<object[]>(send('GET', '/api/products?limit=50'), 200)
  return JSON.stringify([single, page[0], page.length].map(shapeOf))
}

function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? value : typeof value
  return Object.entries(value).map(([name, member]) => [name, member === null ? 'null' : typeof member])
}

function product(index: number): { name: string; description: string; price: number } {
  const description = `A desk of solid walnut with drawers on both sides, number ${index} of its kind.`
  return { name: `Walnut desk ${index}`, description, price: (1 + index) * 1.25 }
}
