/** Builds a read statement: gives tables their aliases, and values of the request their placeholders. */

import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../executor.ts'
import type { TenantTables } from '../tenant-tables.ts'
import type { ReadModel, Relation } from './read-model.ts'
import type { StatementParameters, StatementValues } from './values.ts'

/** A query on any table. Kysely needs a fixed table as its type; the columns are named by the read model. */
export type AnyRows = ReturnType<typeof rowsOf>

export type AnyQuery = SelectQueryBuilder<TenantTables, never, object>

export class SqlBuilder {
  readonly dialect: Dialect
  readonly #tables: Kysely<TenantTables>
  readonly #placeholders: StatementParameters
  readonly #values: StatementValues
  #aliasCount = 0

  /** @param values of the request that the statement is built for */
  constructor(
    tables: Kysely<TenantTables>,
    placeholders: StatementParameters,
    { dialect, values }: { dialect: Dialect; values: StatementValues },
  ) {
    this.#tables = tables
    this.#placeholders = placeholders
    this.#values = values
    this.dialect = dialect
  }

  /** The placeholder of a value of a part of the request. */
  parameter<T = unknown>(part: object, index = 0): RawBuilder<T> {
    return sql`${this.#placeholders[this.#values.nameOf(part, index)]}`
  }

  /** The placeholder of the number of rows that are read at most. */
  limit(): RawBuilder<number> {
    return sql`${this.#placeholders['limit']}`
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

/** @returns the joined conditions in parentheses, so that others can be combined with them */
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

function rowsOf(tables: Kysely<TenantTables>, entity: ReadModel, alias: string) {
  return tables.selectFrom(named(entity, alias))
}

function named({ table }: ReadModel, alias: string) {
  // Typed as one table, because the builder has no type for any table.
  return `${table as 'event'} as ${alias as 'row'}` as const
}
