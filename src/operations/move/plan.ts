/** What a move works with: both places opened, and what of their tables goes along. */
import type { Context, DedicatedDatabase, Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { dispatchedColumn, eventTable, isDispatched, positionColumn } from '../../core/events/undispatched.ts'
import { recordTables } from '../../core/idempotency/once.ts'
import type { Database } from '../../database/executor.ts'
import type { MoveRow } from '../../tenancy/sql.ts'
import { type TableShape, tenantTables } from '../rows/shape.ts'
import { isSameServer } from '../rows/target.ts'
import type { Transfer } from '../rows/transfer.ts'

/** How far a move has come, in this order. `fenced` is passed by at once unless the process ends there. */
export type MovePhase = 'copying' | 'verified' | 'switching' | 'fenced' | 'switched' | 'removing'

export interface MoveOptions {
  /** Removes rows of the tenant that the target holds already. */
  replace?: boolean
  /** How long the rows stay in the source for requests that have begun there. */
  removeAfterMs?: number
  /** Told of each phase as it begins. */
  reached?: (phase: MovePhase) => Promise<void> | void
}

export interface Plan {
  context: Context
  /** Folded, as the catalogue knows the tenant. */
  key: string
  tenant: Tenant
  row: MoveRow
  source: DedicatedDatabase
  target: DedicatedDatabase
  shapes: readonly TableShape[]
  transfer: Transfer
  /** Tables of which the shared database holds rows of the tenant wherever the others are. */
  common: ReadonlySet<string>
  /** Columns that need not be alike on both sides. */
  ignored: ReadonlySet<string>
  options: MoveOptions
}

export async function makePlan(
  context: Context,
  given: Pick<Plan, 'key' | 'tenant' | 'row' | 'source' | 'target' | 'options'>,
): Promise<Plan> {
  const { row, tenant, source, target } = given
  const shapes = await tablesOfTenants({ row, source, target })
  for (const place of [source, target])
    requireAlike(shapes, await tenantTables(place.database.executor), place.name)
  const excluded = await excludedColumns(source.database, target.database)
  const common = new Set(isShared(row.target) ? tablesInBoth : [])
  return {
    ...given,
    context,
    shapes,
    common,
    // What is relayed to the tenant's own database is marked in the shared one meanwhile.
    ignored: new Set([...excluded, ...(isShared(row.target) ? [dispatchedColumn] : [])]),
    transfer: {
      ...{ id: row.id, tenant: tenant.id, shapes, excluded },
      source: source.database,
      target: target.database,
    },
  }
}

/** Columns whose values mean nothing in the other database, as `table.column`. */
export async function excludedColumns(source: Database, target: Database): Promise<ReadonlySet<string>> {
  return new Set((await isSameServer(source, target)) ? [] : [positionColumn])
}

/** The shared database has tables of the catalogue with the same column: only one of the two can be asked. */
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

/** The shared database has rows of them wherever the tenant's others are: they stand beside changes of the catalogue. */
export const tablesInBoth: readonly string[] = [eventTable, ...recordTables]

/** What the shared database keeps of the events: they may still have to be sent. */
export function rowsToRemove(connection: Uint8Array | null, isTarget: boolean): Map<string, string | null> {
  if (!isShared(connection)) return new Map()
  return isTarget
    ? new Map(tablesInBoth.map((table) => [table, null]))
    : new Map([[eventTable, isDispatched]])
}

/** @param name of the place of the others @throws ServiceError `invalid` */
export function requireAlike(
  shapes: readonly TableShape[],
  others: readonly TableShape[],
  name: string,
): void {
  for (const shape of shapes) {
    const columns = others.find((other) => other.name === shape.name)?.columns ?? []
    if (new Set([...shape.columns, ...columns]).size === shape.columns.length && columns.length > 0) continue
    throw new ServiceError('invalid', `The table ${shape.name} is not the same in ${name}.`)
  }
}
