/** Tables for tests. */
import type { Column, ColumnKind, ForeignKey, Index, Table } from '../../../src/database/table.ts'

interface Parts {
  indexes?: readonly Index[]
  foreignKeys?: readonly ForeignKey[]
}

/** With the id and the moment of creation that every entity has. */
export function table(
  name: string,
  columns: readonly Column[],
  { indexes = [], foreignKeys = [] }: Parts = {},
): Table {
  return {
    name,
    columns: [column('id', 'id'), ...columns, column('created_at', 'timestamp')],
    key: ['id'],
    indexes,
    foreignKeys,
  }
}

export function column(name: string, kind: ColumnKind, more: Partial<Column> = {}): Column {
  return { name, kind, isNullable: false, ...more }
}

export function optional(name: string, kind: ColumnKind, more: Partial<Column> = {}): Column {
  return column(name, kind, { isNullable: true, ...more })
}

/** The id of a row by its number. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}

export const createdAt = '2026-01-31T12:00:00.000Z'

/** The members that every row has. */
export function row(number: number, tenant = 'acme') {
  return { tenant_id: tenant, id: idOf(number), created_at: createdAt }
}
