/** What an operation takes that is not run, because it would cost too much. */
import type { Load } from '../load/load.ts'
import type { Finding } from '../row/finding.ts'
import { run } from '../row/turns.ts'
import { ask, graphqlSide, type Operation, type Stage } from './stage.ts'

const targetMs = 1
const tooCostly = 'HC0047'
/** More documents than are kept ready, so that each is parsed and validated again. */
const unknownDocuments = 1500

/** @param ms of each load */
export async function measureRefusal(load: Load, stage: Stage, ms: number): Promise<Finding> {
  const { errors = [] } = await ask(stage, costly(''), 400)
  if (errors[0]?.extensions.code !== tooCostly)
    throw new Error('The operation was refused for something else.')
  const known = await meanMs(load, stage, [costly('')], ms)
  const texts = Array.from({ length: unknownDocuments }, (_, index) => costly(`# ${index}`))
  const unknown = await meanMs(load, stage, texts, ms)
  return {
    row: 'graphql',
    work: 'refusing an operation that costs too much',
    figure: `${known.toFixed(2)} ms`,
    target: `≤ ${targetMs} ms`,
    reached: known <= targetMs,
    detail: `mean of whole exchanges on one connection; with a document that has to be parsed ${unknown.toFixed(2)} ms`,
  }
}

function costly(comment: string): Operation {
  const nodes = 'nodes { items { product { id category { name } } } }'
  return { query: `{ a: orders(first: 50) { ${nodes} } b: orders(last: 50) { ${nodes} } } ${comment}` }
}

async function meanMs(load: Load, stage: Stage, operations: Operation[], ms: number): Promise<number> {
  const side = graphqlSide(stage, operations, 400)
  await run(load, side, ms, 1)
  return 1000 / (await run(load, side, ms, 1)).perSecond
}
