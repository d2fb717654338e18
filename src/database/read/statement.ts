/**
 * Caches read statements by their shape: a text that is equal for requests with the same SQL, whose values differ. A
 * statement is built when its shape is first used.
 */
import type { Compilable } from 'kysely'
import type { TenantData } from '../data.ts'
import { LruMap } from '../lru-map.ts'
import { type Prepared, prepare, prepareForRowsOfAll } from '../prepared.ts'
import type { ReadModel } from './read-model.ts'
import { type NamedMembers, requireReadable } from './readable.ts'
import { SqlBuilder } from './sql-builder.ts'
import type { StatementParameters, StatementValues } from './values.ts'

/** The maximum length of all cached shapes together. The SQL of a statement is several times as long as its shape. */
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
  /** Whether the statement is frequent enough to be kept prepared in the database. */
  reusable: boolean
}

/**
 * A number for each model. One process may run several services, whose models may have one name but other members. The
 * list of the key's members stands for a model: its copies, which hide members from some callers, share that list.
 */
const numbers = new WeakMap<ReadModel['key'], number>()
let lastNumber = 0

function numberOf({ key }: ReadModel): number {
  const known = numbers.get(key) ?? ++lastNumber
  numbers.set(key, known)
  return known
}

/** What a statement is run with: the values that making its shape has collected, and the maximum number of rows. */
export interface StatementArguments {
  /** The model of the rows that are read. */
  entity: ReadModel
  values: StatementValues
  limit?: number
  /** The members that the request names: a member that is hidden from the caller is refused. */
  names: NamedMembers
}

/**
 * @param shape determines, with the model, the SQL text and the names of the values
 * @throws UnreadableMember
 */
export function statementOf<R>(
  { executor: { dialect }, reach, isOfAll }: TenantData,
  shape: string,
  { entity, values, limit, names }: StatementArguments,
  build: (builder: SqlBuilder) => Compilable<R>,
): Statement<R> {
  requireReadable(reach, names)
  const key = `${isOfAll ? 'all ' : ''}${numberOf(entity)}|${shape}`
  let entry = cache.get(key) as CachedStatement<R> | undefined // one shape is built by one builder
  if (entry === undefined) {
    const prepared = (isOfAll ? prepareForRowsOfAll : prepare)(
      (tables, placeholders: StatementParameters, on) =>
        build(new SqlBuilder(tables, placeholders, { dialect: on, values })),
    )
    entry = { prepared, runs: 0, isNamed: false }
    cache.set(key, entry)
  }
  entry.runs++
  const isFrequent = entry.runs > minRunsForName
  if (dialect === 'postgres' && isFrequent && !entry.isNamed && namedCount < maxNamedStatements) {
    entry.isNamed = true
    namedCount++
  }
  const { parameters: named } = values
  const parameters = limit === undefined ? named : { ...named, limit }
  return { prepared: entry.prepared, parameters, reusable: dialect === 'sqlite' ? isFrequent : entry.isNamed }
}
