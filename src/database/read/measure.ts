/** Bounds what a read may use, and refuses rows that are too large: these are measured before they are rendered. */
import { type RawBuilder, sql } from 'kysely'
import type { TimeAllowance } from '../executor.ts'
import { withinTime } from '../scan.ts'
import type { Relation } from './read-model.ts'
import { measureRelationPage } from './relation-page.ts'
import { type JoinedRows, renderRow } from './render.ts'
import { maxBytesOf, maxRowBytes, type Selection } from './selection.ts'
import type { SqlBuilder } from './sql-builder.ts'

/** The rows, bytes and time that a read may use. */
export interface ReadBudget {
  readonly time: TimeAllowance
  /** Counts rows and bytes as they are read. @throws when they exceed the budget */
  take(rows: number, bytes: number): void
}

/** The budget for reads of the service itself. */
export const unlimited: ReadBudget = {
  time: { leftMs: Number.POSITIVE_INFINITY },
  take: () => undefined,
}

/** The row would be larger than `maxRowBytes`. */
export class RowTooLarge extends Error {}

/** Renders a row like `renderRow`, but as NULL if it is too large. */
export function renderBounded(
  selection: Selection,
  alias: string,
  builder: SqlBuilder,
  joined?: JoinedRows,
): RawBuilder<string | null> {
  const json = renderRow(selection, alias, builder, joined)
  if (maxBytesOf(selection) <= maxRowBytes) return json
  return sql`case when ${bytesOf(selection, alias, builder)} <= ${sql.lit(maxRowBytes)} then ${json} end`
}

/** @param json of `renderBounded`, for an existing row @throws RowTooLarge */
export function rendered(json: string | null): string {
  if (json === null) throw new RowTooLarge('A row is too large to be rendered.')
  return json
}

/** The size of the rendered row. The database frees each text as soon as it has measured it. */
function bytesOf(selection: Selection, alias: string, builder: SqlBuilder): RawBuilder<number> {
  const own = selection.filter(({ kind }) => kind !== 'relation' && kind !== 'page')
  const parts: RawBuilder<unknown>[] = [sql`octet_length(${renderRow(own, alias, builder)})`]
  for (const selected of selection) {
    if (selected.kind === 'page') {
      const { page } = selected
      parts.push(measureRelationPage(page, alias, builder, (row) => bytesOf(page.rows, row, builder)))
    }
    if (selected.kind !== 'relation') continue
    parts.push(sql`${sql.lit(selected.as.length + 4)}`) // `"name":,`
    parts.push(bytesOfRelated(selected.relation, selected.selection, alias, builder))
  }
  return sql`(${sql.join(parts, sql` + `)})`
}

function bytesOfRelated(relation: Relation, selection: Selection, from: string, builder: SqlBuilder) {
  const { query, alias } = builder.related(relation, from)
  const bytes = bytesOf(selection, alias, builder)
  if (relation.kind === 'one') return sql`coalesce(${query.select(bytes.as('bytes'))}, 4)`
  const rows = query.where(withinTime(builder.dialect, `${alias}.tenant_id`, sql`true`))
  return sql`(2 + coalesce(${rows.select(sql`sum(${bytes} + 1)`.as('bytes'))}, 0))`
}
