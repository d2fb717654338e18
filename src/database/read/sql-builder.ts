/** The state of a statement that is being built: its database, table aliases and parameters. */

import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../executor.ts'
import type { TenantTables } from '../tenant-tables.ts'
import type { ReadModel, Relation, Value } from './read-model.ts'

/** Any table, typed as one table: an entity names the columns that are read. */
export type AnyRows = ReturnType<typeof rowsOf>

export type AnyQuery = SelectQueryBuilder<TenantTables, never, object>

/** `v0`, `v1`, …: the values of a statement in the order in which it is built. */
export type StatementParameters = Record<string, Parameter>

export class SqlBuilder {
  readonly dialect: Dialect
  readonly #tables: Kysely<TenantTables>
  readonly #parameters: StatementParameters
  readonly #reserved = new Map<object, number>()
  #parameterCount = 0
  #aliasCount = 0

  constructor(tables: Kysely<TenantTables>, parameters: StatementParameters, dialect: Dialect) {
    this.#tables = tables
    this.#parameters = parameters
    this.dialect = dialect
  }

  /** The placeholder of the next value. */
  parameter<T = unknown>(): RawBuilder<T> {
    return parameterAt(this.#parameters, this.#parameterCount++)
  }

  /** The placeholder of the previous value again. */
  sameParameter(): RawBuilder<unknown> {
    return parameterAt(this.#parameters, this.#parameterCount - 1)
  }

  /** Sets the placeholders of the next values apart, for a part that is built later, and perhaps several times. */
  reserve(part: object, count: number): void {
    this.#reserved.set(part, this.#parameterCount)
    this.#parameterCount += count
  }

  /** Builds with the placeholders of a part. @param offset of the first one to take */
  withReserved<T>(part: object, offset: number, build: () => T): T {
    const next = this.#parameterCount
    this.#parameterCount = (this.#reserved.get(part) ?? 0) + offset
    const built = build()
    this.#parameterCount = next
    return built
  }

  /** The rows of an entity, under a new alias. */
  rows(entity: ReadModel): { query: AnyRows; alias: string } {
    const alias = `t${this.#aliasCount++}`
    return { query: rowsOf(this.#tables, entity, alias), alias }
  }

  /** A query on the rows of another query. @param alias other than those of queries around it */
  from(rows: AnyQuery, alias = 'page') {
    return { query: this.#tables.selectFrom(rows.as(alias as 'page')), alias } // typed as one alias
  }

  /** The rows related to the row with the alias `from`. */
  related(relation: Relation, from: string): { query: AnyRows; alias: string } {
    const { query, alias } = this.rows(relation.entity)
    return { query: linked(relation, alias, from).reduce((all, each) => all.where(each), query), alias }
  }

  /** Joins the one related row, or NULLs, to each row of a query. */
  joinRelated<Q extends AnyQuery>(query: Q, relation: Relation, from: string): { query: Q; alias: string } {
    const alias = `t${this.#aliasCount++}`
    const withRow = query.leftJoin(named(relation.entity, alias), (join) =>
      linked(relation, alias, from).reduce((all, each) => all.on(each), join),
    )
    return { query: withRow as unknown as Q, alias } // its columns are named by their alias
  }
}

function linked({ on }: Relation, alias: string, from: string): RawBuilder<SqlBool>[] {
  return Object.entries(on).map(
    ([there, here]) => sql<SqlBool>`${sql.ref(`${alias}.${there}`)} = ${sql.ref(`${from}.${here}`)}`,
  )
}

/** SQLite bounds the depth of an expression, and each condition of a chain adds a level. */
const maxChainLength = 50

/** In parentheses, so that it can be combined with other conditions. */
export function joined<T>(
  parts: readonly T[],
  word: 'and' | 'or',
  render: (part: T) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  if (parts.length === 0) return word === 'and' ? sql`1 = 1` : sql`1 = 0`
  return chained(
    parts.map((part) => sql<SqlBool>`(${render(part)})`),
    word === 'and' ? sql` and ` : sql` or `,
  )
}

function chained(rendered: readonly RawBuilder<SqlBool>[], word: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (rendered.length <= maxChainLength) return sql`(${sql.join(rendered, word)})`
  const size = Math.ceil(rendered.length / maxChainLength)
  const chains = Array.from({ length: Math.ceil(rendered.length / size) }, (_, index) =>
    chained(rendered.slice(index * size, (index + 1) * size), word),
  )
  return chained(chains, word)
}

function parameterAt<T>(parameters: StatementParameters, index: number): RawBuilder<T> {
  return sql`${parameters[`v${index}`]}`
}

function rowsOf(tables: Kysely<TenantTables>, entity: ReadModel, alias: string) {
  return tables.selectFrom(named(entity, alias))
}

function named({ table }: ReadModel, alias: string) {
  // Typed as one table, because the builder has no type for any table.
  return `${table as 'event'} as ${alias as 'row'}` as const
}

/** A parameter of a statement: a value, a list of values, or NULL. */
export type Parameter = Value | readonly Value[] | null
