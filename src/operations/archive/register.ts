/** Registers an imported tenant: writes all its rows in the catalogue in one transaction. */
import { isDeepStrictEqual } from 'node:util'
import { auditTable, isKeptByHost, recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { registry, tenantChange } from '../../core/tenant/directory.ts'
import { findTenant, findTenantBySubdomain } from '../../core/tenant/sql.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { InstallationData } from '../../database/data.ts'
import { type DatabaseIdentity, type Executor, isDuplicate, type Row } from '../../database/executor.ts'
import { assignDatabase, insertTenant } from '../../tenancy/sql.ts'
import { compareTables } from '../rows/compare.ts'
import { findConflictingRows, pages, writeRows } from '../rows/rows.ts'
import type { TableShape } from '../rows/shape.ts'
import type { OpenedArchive } from './open.ts'

export interface Registration {
  archive: OpenedArchive
  /** Tables whose rows go to the catalogue. */
  shapes: readonly TableShape[]
  subdomain: string | null
  /** Encrypted; `null` for the shared database. */
  connection: Uint8Array | null
  /** The identity of the tenant's own database; `null` for the shared one. */
  identity: DatabaseIdentity | null
}

export const importedAction = 'tenant.imported'

/** @throws ServiceError `conflict` for an id, a subdomain or a row that exists; CopyDiffers */
export async function registerTenant(context: Context, registration: Registration): Promise<void> {
  const { archive, shapes, subdomain, connection, identity } = registration
  const { tenant, id: archiveId, exportedAt } = archive.manifest
  await inCatalogue(context, async (inside) => {
    const { transaction } = inside
    if (transaction === null) throw new Error('A tenant was registered outside a transaction.')
    await refuseConflictingNames(registry(inside), tenant.id, subdomain)
    const row = {
      id: tenant.id,
      id_key: foldTenantId(tenant.id),
      name: tenant.name,
      subdomain,
      plan: tenant.plan,
      connection_string: connection,
      is_active: tenant.isActive,
      created_at: tenant.createdAt,
      version: tenant.version,
    }
    await insertTenant(registry(inside), row).catch((error) => {
      if (isDuplicate(error, 'subdomain')) throw subdomainIsTaken(subdomain)
      throw isDuplicate(error, 'tenant') ? tenantExists(tenant.id) : error
    })
    await assignDatabase(registry(inside), row.id_key, identity)
    const from = archive.copy.executor
    for (const shape of shapes)
      for await (const page of pages(from, shape, tenant.id))
        await writeRows(transaction, shape, shape.columns, page)
    const shared = new Set(shapes.map(({ name }) => name))
    await compareTables(from, transaction, shapes, { tenant: tenant.id, shared, ignored: new Set() })
    await publish(inside, 'tenant.created', { tenantId: tenant.id, name: tenant.name }, tenant.id)
    await recordAudit(inside, {
      action: importedAction,
      tenantId: tenant.id,
      subjectType: 'tenant',
      subjectId: tenant.id,
      detail: { archive: archiveId, exportedAt },
    })
    await transaction.announce(tenantChange(tenant.id))
  })
}

/**
 * Checks once, before the import. Rows that are created later have new ids, and cannot conflict.
 * @throws ServiceError `conflict`
 */
export async function refuseConflicts(
  context: Context,
  { archive, shapes, subdomain }: Pick<Registration, 'archive' | 'shapes' | 'subdomain'>,
): Promise<void> {
  const { tenant } = archive.manifest
  const catalogue = registry(context)
  await refuseConflictingNames(catalogue, tenant.id, subdomain)
  for (const shape of shapes)
    for await (const page of pages(archive.copy.executor, shape, tenant.id))
      await refuseConflictingRows(catalogue.executor, shape, page)
}

async function refuseConflictingNames(
  catalogue: InstallationData,
  id: string,
  subdomain: string | null,
): Promise<void> {
  if ((await findTenant(catalogue, foldTenantId(id))) !== null) throw tenantExists(id)
  if (subdomain === null || (await findTenantBySubdomain(catalogue, subdomain)) === null) return
  throw subdomainIsTaken(subdomain)
}

/** Equal rows do not conflict, nor do audit rows that the host has kept of an erased tenant. */
async function refuseConflictingRows(
  executor: Executor,
  shape: TableShape,
  rows: readonly Row[],
): Promise<void> {
  const textOf = (row: Row) => JSON.stringify(shape.primary.map((column) => row[column]))
  const given = new Map(rows.map((row) => [textOf(row), row]))
  const found = await findConflictingRows(executor, shape, rows)
  const other = found.find((there) => {
    const row = given.get(textOf(there)) ?? {}
    const isKept = shape.name === auditTable && isKeptByHost(row, there)
    return !isKept && !isDeepStrictEqual({ ...there }, { ...row })
  })
  if (other === undefined) return
  const id = shape.primary.map((column) => String(other[column])).join('/')
  throw new ServiceError('conflict', `Another ${shape.name} with the id ${id} already exists.`)
}

export function tenantExists(id: string): ServiceError {
  return new ServiceError('conflict', `The tenant ${id} already exists.`)
}

function subdomainIsTaken(label: string | null): ServiceError {
  const remedy = "Set another one with --subdomain, or none with --subdomain ''."
  return new ServiceError('conflict', `Another tenant has the subdomain ${label}. ${remedy}`)
}
