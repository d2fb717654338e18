/** Caches statements by shape. A statement is built when its shape is first used. */
import type { Compilable } from 'kysely'
import type { Dialect } from '../executor.ts'
import { LruMap } from '../lru-map.ts'
import { type Prepared, prepare } from '../prepared.ts'
import { type Parameter, SqlBuilder, type StatementParameters } from './sql-builder.ts'

/** Of all shapes together; the SQL text of a statement is several times as long as its shape. */
const maxShapeCharacters = 300_000
/** PostgreSQL keeps a named statement as long as the connection lives, so that only frequent shapes get a name. */
const maxNamedStatements = 200
const minRunsForName = 3

interface CachedStatement<R> {
  prepared: Prepared<StatementParameters, R>
  runs: number
  /** On PostgreSQL: whether the statement has a name. */
  isNamed: boolean
}

const cache = new LruMap<string, CachedStatement<unknown>>(maxShapeCharacters, {
  weigh: (shape) => 300 + shape.length,
})
let namedCount = 0

export interface Statement<R> {
  prepared: Prepared<StatementParameters, R>
  parameters: StatementParameters
  /** Worth keeping prepared in the database. */
  reusable: boolean
}

/**
 * @param shape determines the SQL text
 * @param values in the order of the parameters that `build` takes
 */
export function statementOf<R>(
  dialect: Dialect,
  shape: string,
  values: readonly Parameter[],
  build: (builder: SqlBuilder) => Compilable<R>,
): Statement<R> {
  let entry = cache.get(shape) as CachedStatement<R> | undefined // one shape is built by one builder
  if (entry === undefined) {
    const prepared = prepare((tables, placeholders: StatementParameters, on) =>
      build(new SqlBuilder(tables, placeholders, on)),
    )
    entry = { prepared, runs: 0, isNamed: false }
    cache.set(shape, entry)
  }
  entry.runs++
  const isFrequent = entry.runs > minRunsForName
  if (dialect === 'postgres' && isFrequent && !entry.isNamed && namedCount < maxNamedStatements) {
    entry.isNamed = true
    namedCount++
  }
  const parameters: StatementParameters = {}
  for (const [index, value] of values.entries()) parameters[`v${index}`] = value
  return { prepared: entry.prepared, parameters, reusable: dialect === 'sqlite' ? isFrequent : entry.isNamed }
}
