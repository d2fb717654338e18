/** A defined entity, products, against the same feature written by hand, wares: two processes of one application. */
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import { callerOf, expectJson, mapAtOnce, type Send } from '../client.ts'
import type { LoadRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import { type Server, startServer } from '../process.ts'
import { databaseAt } from '../row/contest.ts'
import type { Finding } from '../row/finding.ts'
import { compareInTurn, type Rounds, type Side } from '../row/turns.ts'
import { initialize, makeFolder, removeFolder } from '../service.ts'

export const row = 'entity'

const target = 0.9
const seededRows = 2000
const categories = 5
const listed = 50
const step = 1.25

interface Contender {
  /** `products` or `wares`. */
  name: string
  type: string
  server: Server
  folder: string
  headers: Record<string, string>
  ids: readonly string[]
  categoryIds: readonly string[]
}

interface Work {
  about: string
  expectedStatus: number
  requests(contender: Contender): Omit<LoadRequest, 'headers'>[]
}

const graphql = (query: string, variables: object): Omit<LoadRequest, 'headers'> => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
})

/** What creates rows comes last, so that the others read the same number of them. */
const works: Work[] = [
  {
    about: 'GET by id',
    expectedStatus: 200,
    requests: ({ name, ids }) => ids.map((id) => ({ method: 'GET', path: `/api/${name}/${id}` })),
  },
  {
    about: `GET list of ${listed}`,
    expectedStatus: 200,
    requests: ({ name }) => [{ method: 'GET', path: `/api/${name}?limit=${listed}` }],
  },
  {
    about: `GraphQL of ${listed} with their categories`,
    expectedStatus: 200,
    requests: ({ name, type }) => [
      graphql(
        `query ($where: ${type}FilterInput, $order: [${type}SortInput!]) {
          ${name}(where: $where, order: $order) { id name price category { name } }
        }`,
        { where: { price: { lte: listed * step } }, order: [{ price: 'DESC' }] },
      ),
    ],
  },
  {
    about: 'GraphQL by id',
    expectedStatus: 200,
    requests: ({ name, ids }) =>
      ids.map((id) =>
        graphql(
          `query ($id: UUID!) {
            ${name.slice(0, -1)}(id: $id) { id name description price isActive categoryId createdAt updatedAt }
          }`,
          { id },
        ),
      ),
  },
  {
    about: 'POST with its event',
    expectedStatus: 201,
    requests: ({ name, ids, categoryIds }) =>
      ids.map((_id, index) => ({
        method: 'POST',
        path: `/api/${name}`,
        body: JSON.stringify(desk(index, categoryIds)),
      })),
  },
]

export async function measureEntity(load: Load, rounds: Rounds, postgresRounds: Rounds): Promise<Finding[]> {
  const onFile = await compareAll(load, rounds, { place: 'SQLite', settings: () => ({}) })
  const server = await startPostgres()
  try {
    const settings = (name: string) => ({ DATABASE_URL: databaseAt(server.url, name) })
    return [...onFile, ...(await compareAll(load, postgresRounds, { place: 'PostgreSQL', settings }))]
  } finally {
    await server.stop()
  }
}

async function compareAll(
  load: Load,
  rounds: Rounds,
  { place, settings }: { place: string; settings: (name: string) => Record<string, string> },
): Promise<Finding[]> {
  const defined = await start('products', settings('products'))
  const written = await start('wares', settings('wares'))
  const findings: Finding[] = []
  for (const work of works) {
    await requireSameReplies(work, [defined, written])
    const sides = { ours: sideOf(work, defined), other: sideOf(work, written) }
    const { ratio, figure, ours, other } = await compareInTurn(load, sides, rounds)
    findings.push({
      row,
      work: `${work.about} of a defined entity against a hand-written feature, ${place}`,
      figure,
      target: `≥ ${target.toFixed(2)}`,
      reached: ratio >= target,
      detail: `defined ${ours}; hand-written ${other}`,
    })
  }
  for (const { server, folder } of [defined, written]) {
    await server.stop()
    removeFolder(folder)
  }
  return findings
}

async function start(name: 'products' | 'wares', settings: Record<string, string>): Promise<Contender> {
  const folder = makeFolder()
  const command = ['bench/entity/start.ts', 'serve']
  const server = await startServer({ command, folder, settings, readyPath: '/health/ready' })
  const { send, token } = await initialize(server.url)
  const create = (path: string, bodies: readonly object[]) =>
    mapAtOnce(
      bodies,
      32,
      async (body) => (await expectJson<{ id: string }>(send('POST', path, body), 201)).id,
    )
  const kinds = Array.from({ length: categories }, (_, index) => ({ name: `Desks of kind ${index}` }))
  const categoryIds = await create('/api/categories', kinds)
  const desks = Array.from({ length: seededRows }, (_, index) => desk(index, categoryIds))
  const ids = await create(`/api/${name}`, desks)
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'content-type': 'application/json',
  }
  const type = name === 'products' ? 'Product' : 'Ware'
  return { name, type, server, folder, headers, ids, categoryIds }
}

function desk(index: number, categoryIds: readonly string[]): object {
  const description = `A desk of solid walnut with drawers on both sides, number ${index} of its kind.`
  const categoryId = categoryIds[index % categories]
  return { name: `Walnut desk ${index}`, description, price: (1 + index) * step, categoryId }
}

function sideOf(work: Work, contender: Contender): Side {
  const { 'content-type': type = '', ...others } = contender.headers
  const requests = work.requests(contender).map((request) => ({
    ...request,
    headers: request.body === undefined ? others : { ...others, 'content-type': type },
  }))
  return { servers: [contender.server], requests, expectedStatus: work.expectedStatus }
}

/** A comparison of unlike replies would say nothing. */
async function requireSameReplies(work: Work, contenders: readonly Contender[]): Promise<void> {
  const [one, other] = await Promise.all(contenders.map((contender) => replyShape(work, contender)))
  if (one !== other || one === undefined) throw new Error(`The replies differ:\n${one}\n${other}`)
}

async function replyShape(work: Work, contender: Contender): Promise<string> {
  const [request] = work.requests(contender)
  if (request === undefined) throw new Error('There is nothing to compare.')
  const send: Send = callerOf(contender.server.url, contender.headers)
  const body: object | undefined = request.body === undefined ? undefined : JSON.parse(request.body)
  const reply = await expectJson(send(request.method, request.path, body), work.expectedStatus)
  return JSON.stringify(shapeOf(reply)).replaceAll('ware', 'product')
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [value.length, shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.entries(value).map(([name, member]) => [name, shapeOf(member)])
}
