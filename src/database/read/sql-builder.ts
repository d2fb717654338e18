/** Where a statement is being built: on which database, with which names and placeholders. */
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../executor.ts'
import type { TenantTables } from '../tables.ts'
import type { Entity, Relation } from './entity.ts'
import type { Parameter } from './value.ts'

/** Any table, seen as one: what is read of it is named by an entity. */
export type AnyRows = ReturnType<typeof rowsOf>

export type AnyQuery = SelectQueryBuilder<TenantTables, never, object>

/** `v0`, `v1`, …: the values of a statement in the order in which it is built. */
export type StatementParameters = Record<string, Parameter>

export class SqlBuilder {
  readonly dialect: Dialect
  readonly #tables: Kysely<TenantTables>
  readonly #parameters: StatementParameters
  #placed = 0
  #aliases = 0

  constructor(tables: Kysely<TenantTables>, parameters: StatementParameters, dialect: Dialect) {
    this.#tables = tables
    this.#parameters = parameters
    this.dialect = dialect
  }

  /** The place of the next value. */
  place<T = unknown>(): RawBuilder<T> {
    return placed(this.#parameters, this.#placed++)
  }

  /** The place of the value before, once more. */
  same(): RawBuilder<unknown> {
    return placed(this.#parameters, this.#placed - 1)
  }

  /** The rows of an entity, under a name of their own. */
  rows(entity: Entity): { query: AnyRows; alias: string } {
    const alias = `t${this.#aliases++}`
    return { query: rowsOf(this.#tables, entity, alias), alias }
  }

  /** A query on what another one gives. */
  from(rows: AnyQuery) {
    return { query: this.#tables.selectFrom(rows.as('page')), alias: 'page' }
  }

  /** The rows that a relation leads to from the row called `from`. */
  related(relation: Relation, from: string): { query: AnyRows; alias: string } {
    const { query, alias } = this.rows(relation.entity)
    return { query: linked(relation, alias, from).reduce((all, each) => all.where(each), query), alias }
  }

  /** The one row that a relation leads to, or NULLs, joined to each row of a query. */
  beside<Q extends AnyQuery>(query: Q, relation: Relation, from: string): { query: Q; alias: string } {
    const alias = `t${this.#aliases++}`
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

/** SQLite takes expressions that are so deep, and each condition of a chain is one level deeper. */
const longestChain = 50

/** In brackets of its own, because it stands beside other conditions. */
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
  if (rendered.length <= longestChain) return sql`(${sql.join(rendered, word)})`
  const size = Math.ceil(rendered.length / longestChain)
  const chains = Array.from({ length: Math.ceil(rendered.length / size) }, (_, index) =>
    chained(rendered.slice(index * size, (index + 1) * size), word),
  )
  return chained(chains, word)
}

function placed<T>(parameters: StatementParameters, index: number): RawBuilder<T> {
  return sql`${parameters[`v${index}`]}`
}

function rowsOf(tables: Kysely<TenantTables>, entity: Entity, alias: string) {
  return tables.selectFrom(named(entity, alias))
}

function named({ table }: Entity, alias: string) {
  // Typed as one certain table, because the builder has no type for any of them.
  return `${table as 'product'} as ${alias as 'row'}` as const
}
