/** Where a statement is being built: on which database, with which names and placeholders. */
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../executor.ts'
import type { TenantTables } from '../tables.ts'
import type { Entity, Relation } from './entity.ts'
import type { Parameter } from './value.ts'

/** Any table, seen as one: what is read of it is named by an entity. */
export type AnyRows = ReturnType<typeof rowsOf>

type AnyQuery = SelectQueryBuilder<TenantTables, never, object>

/** `v0`, `v1`, …: the values of a statement in the order in which it is built. */
export type Parameters = Record<string, Parameter>

export class Scene {
  readonly dialect: Dialect
  readonly #tables: Kysely<TenantTables>
  readonly #parameters: Parameters
  #placed = 0
  #aliases = 0

  constructor(tables: Kysely<TenantTables>, parameters: Parameters, dialect: Dialect) {
    this.#tables = tables
    this.#parameters = parameters
    this.dialect = dialect
  }

  /** The place of the next value. */
  place(): RawBuilder<unknown> {
    return placed(this.#parameters, this.#placed++)
  }

  /** The place of the value before, once more. */
  same(): RawBuilder<unknown> {
    return placed(this.#parameters, this.#placed - 1)
  }

  /** The place of a number of rows. SQLite compiles a statement anew for each run when a bare place is its LIMIT. */
  limit(): RawBuilder<number> {
    return this.dialect === 'sqlite' ? sql`${this.place()} + 0` : sql`${this.place()}`
  }

  /** The rows of an entity, under a name of their own. */
  rows(entity: Entity): { query: AnyRows; alias: string } {
    const alias = `t${this.#aliases++}`
    return { query: rowsOf(this.#tables, entity, alias), alias }
  }

  /** A query on what another one gives. */
  from(rows: AnyQuery) {
    return this.#tables.selectFrom(rows.as('page'))
  }

  /** The rows that a relation leads to from the row called `from`. */
  related({ entity, on }: Relation, from: string): { query: AnyRows; alias: string } {
    const { query, alias } = this.rows(entity)
    const conditions = Object.entries(on).map(
      ([there, here]) => sql<SqlBool>`${sql.ref(`${alias}.${there}`)} = ${sql.ref(`${from}.${here}`)}`,
    )
    return { query: conditions.reduce((all, each) => all.where(each), query), alias }
  }
}

/** In brackets of its own, because it stands beside other conditions. */
export function joined<T>(
  parts: readonly T[],
  word: 'and' | 'or',
  render: (part: T) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  if (parts.length === 0) return word === 'and' ? sql`1 = 1` : sql`1 = 0`
  const rendered = parts.map((part) => sql`(${render(part)})`)
  return sql`(${sql.join(rendered, word === 'and' ? sql` and ` : sql` or `)})`
}

function placed(parameters: Parameters, index: number): RawBuilder<unknown> {
  return sql`${parameters[`v${index}`]}`
}

function rowsOf(tables: Kysely<TenantTables>, { table }: Entity, alias: string) {
  // Typed as one certain table, because the builder has no type for any of them.
  return tables.selectFrom(`${table as 'product'} as ${alias as 'row'}`)
}
