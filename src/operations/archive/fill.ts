/** Copies the rows of a tenant into the draft of its archive, and compares the copy with the source. */
import { positionColumn } from '../../core/events/undispatched.ts'
import { registry } from '../../core/tenant/directory.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import type { Database, Executor, Row } from '../../database/executor.ts'
import { insertTenant } from '../../tenancy/sql.ts'
import { excludedColumns } from '../move/plan.ts'
import { CopyDiffers, compareRows, compareTables, describeKeys } from '../rows/compare.ts'
import { removeCopyPosition } from '../rows/move-state.ts'
import { findConflictingRows, keyOf, pages, writeRows } from '../rows/rows.ts'
import type { TableShape } from '../rows/shape.ts'
import { columnsOf, copyState } from '../rows/transfer.ts'
import type { TenantState } from './state.ts'
import { type ArchivedShapes, archivedFromShared } from './table.ts'

const none: ReadonlySet<string> = new Set()

/** @param draft empty @throws CopyDiffers */
export async function copyTenant(draft: Database, state: TenantState, shapes: ArchivedShapes): Promise<void> {
  const { tenant, catalogue, rows } = state
  await insertTenant(registry(draft.executor), {
    id: tenant.id,
    id_key: foldTenantId(tenant.id),
    name: tenant.name,
    subdomain: tenant.subdomain,
    plan: tenant.plan,
    connection_string: null,
    is_active: tenant.isActive,
    created_at: tenant.createdAt,
    version: tenant.version,
  })
  const excluded = await excludedColumns(state.database, draft)
  await copyPart(draft, rows, { tenant: tenant.id, shapes: shapes.ofTenant, excluded })
  await copyPart(draft, catalogue, { tenant: tenant.id, shapes: shapes.ofCatalogue, excluded: none })
  if (rows !== catalogue) await copyFromShared(draft, state, shapes.ofTenant)
  await removeCopyPosition(draft.executor, tenant.id)
}

interface TenantPart {
  tenant: string
  shapes: readonly TableShape[]
  excluded: ReadonlySet<string>
}

async function copyPart(
  draft: Database,
  from: Executor,
  { tenant, shapes, excluded }: TenantPart,
): Promise<void> {
  await copyState({ id: 'export', target: draft, isExclusive: true, tenant, shapes, excluded }, from)
  await compareTables(from, draft.executor, shapes, { tenant, shared: none, ignored: excluded })
}

/** Adds rows that only the shared database has. To be called last: a row that the draft already has is newer. */
async function copyFromShared(
  draft: Database,
  { tenant, catalogue }: TenantState,
  shapes: readonly TableShape[],
): Promise<void> {
  const excluded = new Set([positionColumn])
  for (const shape of shapes) {
    const where = archivedFromShared.get(shape.name)
    if (where === undefined) continue
    for await (const page of pages(catalogue, shape, tenant.id, where)) {
      const missing = await missingRows(draft.executor, shape, page)
      await draft.transaction((to) => writeRows(to, shape, columnsOf({ excluded }, shape), missing))
      const comparison = { tenant: tenant.id, shared: none, ignored: excluded }
      const differing = await compareRows(draft.executor, shape, missing, comparison)
      if (differing.length > 0) throw new CopyDiffers([describeKeys(shape, differing)])
    }
  }
}

async function missingRows(executor: Executor, shape: TableShape, rows: readonly Row[]): Promise<Row[]> {
  const found = await findConflictingRows(executor, shape, rows)
  const existing = new Set(found.map((row) => JSON.stringify(keyOf(shape, row))))
  return rows.filter((row) => !existing.has(JSON.stringify(keyOf(shape, row))))
}
