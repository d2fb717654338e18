/** Statements by their shape: built when a shape comes for the first time, and kept while it is in use. */
import type { Compilable } from 'kysely'
import type { Dialect } from '../executor.ts'
import { LruMap } from '../lru-map.ts'
import { type Prepared, prepare } from '../prepared.ts'
import { SqlBuilder, type StatementParameters } from './sql-builder.ts'
import type { Parameter } from './value.ts'

/** Of the shapes that clients ask for again and again; the text of SQL is several times as long. */
const mostCharacters = 300_000
/** PostgreSQL keeps what has a name for as long as a connection lives, so that not every shape may have one. */
const mostHot = 200
const hotAfter = 3

interface Known<R> {
  prepared: Prepared<StatementParameters, R>
  runs: number
  /** It may have a name on PostgreSQL. */
  isHot: boolean
}

const known = new LruMap<string, Known<unknown>>(mostCharacters, (shape) => 300 + shape.length)
let hot = 0

export interface Statement<R> {
  prepared: Prepared<StatementParameters, R>
  parameters: StatementParameters
  /** Worth keeping prepared in the database. */
  reusable: boolean
}

/**
 * @param shape tells everything that the text of the statement depends on
 * @param values in the order in which `build` places them
 */
export function statementOf<R>(
  dialect: Dialect,
  shape: string,
  values: readonly Parameter[],
  build: (builder: SqlBuilder) => Compilable<R>,
): Statement<R> {
  let entry = known.get(shape) as Known<R> | undefined // one shape is built by one builder
  if (entry === undefined) {
    const prepared = prepare((tables, places: StatementParameters, on) =>
      build(new SqlBuilder(tables, places, on)),
    )
    entry = { prepared, runs: 0, isHot: false }
    known.set(shape, entry)
  }
  entry.runs++
  const comesOften = entry.runs > hotAfter
  if (dialect === 'postgres' && comesOften && !entry.isHot && hot < mostHot) {
    entry.isHot = true
    hot++
  }
  const parameters: StatementParameters = {}
  for (const [index, value] of values.entries()) parameters[`v${index}`] = value
  return { prepared: entry.prepared, parameters, reusable: dialect === 'sqlite' ? comesOften : entry.isHot }
}
