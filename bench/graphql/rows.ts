/** The gateway against REST of the same service, on the same rows, and what it takes to refuse. */
import { startPostgres } from '../../test/support/database/postgres-server.ts'
import type { Load } from '../load/load.ts'
import type { Finding } from '../row/finding.ts'
import { compareInTurn, type Rounds } from '../row/turns.ts'
import { removeFolder } from '../service.ts'
import { measureRefusal } from './refusal.ts'
import { ask, graphqlSide, type Operation, openStage, products, restSide, type Stage } from './stage.ts'

const row = 'graphql'

interface Work {
  about: string
  detail: string
  target: number | null
  operations(stage: Stage): Operation[]
  paths(stage: Stage): string[]
  /** How many rows an answer of either has. */
  rows: number
}

const list: Work = {
  about: `POST /graphql for ${products} products, against GET ${products} products`,
  detail:
    'filtered, sorted, 3 fields and the category; REST by id, 8 fields, entity tag, look for a next page',
  target: 0.8,
  operations: () => [
    {
      query: `query ($where: ProductFilterInput, $order: [ProductSortInput!]) {
        products(where: $where, order: $order) { id name price category { name } }
      }`,
      variables: { where: { isActive: { eq: true }, price: { gte: 1 } }, order: [{ price: 'DESC' }] },
    },
  ],
  paths: () => [`/api/products?limit=${products}`],
  rows: products,
}

const byId: Work = {
  about: 'POST /graphql for a product by id, against GET product by id',
  detail: 'the same 8 fields',
  target: null,
  operations: ({ productIds }) =>
    productIds.map((id) => ({
      query: `query ($id: UUID!) {
        product(id: $id) { id name description price isActive categoryId createdAt updatedAt }
      }`,
      variables: { id },
    })),
  paths: ({ productIds }) => productIds.map((id) => `/api/products/${id}`),
  rows: 1,
}

const orders: Work = {
  about: 'POST /graphql for 10 orders with their items, against GET 10 orders',
  detail: '2 fields of an order and 2 of an item; REST all of both',
  target: null,
  operations: () => [{ query: '{ orders(first: 10) { nodes { id total items { name quantity } } } }' }],
  paths: () => ['/api/orders?limit=10'],
  rows: 10,
}

export async function measureGraphql(load: Load, rounds: Rounds, postgresRounds: Rounds): Promise<Finding[]> {
  const findings = await onStage({}, async (stage) => [
    await compare(load, stage, list, rounds),
    await compare(load, stage, byId, postgresRounds),
    await compare(load, stage, orders, postgresRounds),
    await measureRefusal(load, stage, postgresRounds.ms),
  ])
  const server = await startPostgres()
  try {
    const informative = { ...list, about: `${list.about}, on PostgreSQL`, target: null }
    const more = await onStage({ DATABASE_URL: server.url }, async (stage) => [
      await compare(load, stage, informative, postgresRounds),
    ])
    return [...findings, ...more]
  } finally {
    await server.stop()
  }
}

async function onStage(
  settings: Record<string, string>,
  measure: (stage: Stage) => Promise<Finding[]>,
): Promise<Finding[]> {
  const stage = await openStage(settings)
  const findings = await measure(stage)
  await stage.service.stop()
  removeFolder(stage.service.folder)
  return findings
}

async function compare(load: Load, stage: Stage, work: Work, rounds: Rounds): Promise<Finding> {
  const { about, detail, target } = work
  const [operations, paths] = [work.operations(stage), work.paths(stage)]
  await requireSameRows(stage, work)
  const sides = { ours: graphqlSide(stage, operations), other: restSide(stage, paths) }
  const { ratio, figure, ours, other } = await compareInTurn(load, sides, rounds)
  return {
    row,
    work: about,
    figure,
    target: target === null ? null : `≥ ${target.toFixed(2)}`,
    reached: target === null || ratio >= target,
    detail: `${detail}; GraphQL ${ours}; REST ${other}`,
  }
}

/** Answers of different lengths would say nothing. */
async function requireSameRows(stage: Stage, { operations, paths, rows }: Work): Promise<void> {
  const [operation] = operations(stage)
  const [path] = paths(stage)
  if (operation === undefined || path === undefined) throw new Error('There is nothing to compare.')
  const { data } = await ask(stage, operation)
  const rest: unknown = JSON.parse((await stage.send('GET', path)).text)
  const counts = [rowsIn(Object.values(data ?? {})[0]), rowsIn(rest)]
  if (counts.some((count) => count !== rows)) throw new Error(`${counts.join(' and ')} rows, not ${rows}.`)
}

function rowsIn(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length
  if (typeof answer !== 'object' || answer === null) return 0
  return 'nodes' in answer ? rowsIn(answer.nodes) : 1
}
