/** The plan of a move: both databases, and the tables and columns to move. */
import type { Context, DedicatedDatabase, Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { dispatchedColumn, eventTable, isDispatched, positionColumn } from '../../core/events/undispatched.ts'
import { recordTables } from '../../core/idempotency/idempotency.ts'
import type { Database } from '../../database/executor.ts'
import type { MoveRow } from '../../tenancy/sql.ts'
import { type TableShape, tenantTables } from '../rows/shape.ts'
import { isSameServer } from '../rows/target.ts'
import type { Transfer } from '../rows/transfer.ts'

/** The phases of a move, in this order. `fenced` lasts only if the process dies there. */
export type MovePhase = 'copying' | 'verified' | 'switching' | 'fenced' | 'switched' | 'removing'

/** Rows that change meanwhile are not counted again. */
export interface RowProgress {
  copied: number
  total: number
}

export interface MoveOptions {
  /** Removes rows of the tenant that the target already has. */
  replace?: boolean
  /** How long rows stay in the source, for requests that began there. */
  removeAfterMs?: number
  /** Ends the wait of `removeAfterMs`; the move can be continued. */
  signal?: AbortSignal
  /** Called about once a second while rows are copied. */
  copied?: (progress: RowProgress) => Promise<void>
  /** Called when a phase begins. */
  reached?: (phase: MovePhase) => Promise<void> | void
}

export interface Plan {
  context: Context
  /** The case-folded tenant id, the key of the catalogue. */
  key: string
  tenant: Tenant
  row: MoveRow
  source: DedicatedDatabase
  target: DedicatedDatabase
  shapes: readonly TableShape[]
  transfer: Transfer
  /** Tables of which the target, as the shared database, already has rows of the tenant. */
  common: ReadonlySet<string>
  /** Columns that may differ between source and target. */
  ignored: ReadonlySet<string>
  options: MoveOptions
}

export async function makePlan(
  context: Context,
  given: Pick<Plan, 'key' | 'tenant' | 'row' | 'source' | 'target' | 'options'>,
): Promise<Plan> {
  const { row, tenant, source, target } = given
  const shapes = await tablesOfTenants({ row, source, target })
  for (const side of [source, target])
    requireSameColumns(shapes, await tenantTables(side.database.executor), side.name)
  const excluded = await excludedColumns(source.database, target.database)
  const common = new Set(isShared(row.target) ? tablesInBoth : [])
  return {
    ...given,
    context,
    shapes,
    common,
    // The shared database meanwhile marks events that were copied to the tenant's own database.
    ignored: new Set([...excluded, ...(isShared(row.target) ? [dispatchedColumn] : [])]),
    transfer: {
      id: row.id,
      tenant: tenant.id,
      shapes,
      excluded,
      source: source.database,
      target: target.database,
    },
  }
}

/** Columns whose values have no meaning in the other database, as `table.column`. */
export async function excludedColumns(source: Database, target: Database): Promise<ReadonlySet<string>> {
  return new Set((await isSameServer(source, target)) ? [] : [positionColumn])
}

/** The tables to move, as a tenant's own database has them: the shared one also has tables of the catalogue. */
export function tablesOfTenants({
  row,
  source,
  target,
}: Pick<Plan, 'row' | 'source' | 'target'>): Promise<TableShape[]> {
  return tenantTables((isShared(row.source) ? target : source).database.executor)
}

export function isShared(connection: Uint8Array | null): boolean {
  return connection === null
}

/** Tables of which the shared database has rows for every tenant, because changes of the catalogue write them. */
export const tablesInBoth: readonly string[] = [eventTable, ...recordTables]

/** By table, a condition for the rows to remove; `null` keeps all rows of the table. */
type RemovedRows = Map<string, string | null>

/** The copied rows, for another copy. The shared database keeps those of the tables of which it had rows already. */
export function rowsOfCopy(target: Uint8Array | null): RemovedRows {
  return new Map(isShared(target) ? tablesInBoth.map((table) => [table, null]) : [])
}

/** The former rows, after the switch. The shared database keeps events that are not dispatched yet. */
export function rowsLeftBehind(source: Uint8Array | null): RemovedRows {
  return new Map(isShared(source) ? [[eventTable, isDispatched]] : [])
}

/** @param name the database of `others` @throws ServiceError `invalid` */
export function requireSameColumns(
  shapes: readonly TableShape[],
  others: readonly TableShape[],
  name: string,
): void {
  for (const shape of shapes) {
    const columns = others.find((other) => other.name === shape.name)?.columns ?? []
    if (new Set([...shape.columns, ...columns]).size === shape.columns.length && columns.length > 0) continue
    throw new ServiceError('invalid', `The table ${shape.name} has other columns in ${name}.`)
  }
}
