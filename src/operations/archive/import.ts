/** Imports a tenant from an archive. The archive is verified first, and the tenant becomes visible as a whole. */
import { auditedDetails } from '../../core/audit/audit.ts'
import type { Context, DedicatedDatabase } from '../../core/context.ts'
import { recordedEncryptedColumns } from '../../core/encryption/prepare.ts'
import { ServiceError } from '../../core/errors.ts'
import { eventTable } from '../../core/events/undispatched.ts'
import { inputReader } from '../../core/schema/input.ts'
import { registry } from '../../core/tenant/directory.ts'
import { findTenant } from '../../core/tenant/sql.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { CatalogueData, TenantData } from '../../database/data.ts'
import { refuseForeignHashes } from '../../identity/user/credentials.ts'
import { refuseForeignJobs } from '../../jobs/archive-check.ts'
import { isReserved } from '../../tenancy/reserved-subdomain.ts'
import { TenantUpdate } from '../../tenancy/schema.ts'
import { findConnectionString } from '../../tenancy/sql.ts'
import { refuseForeignRules } from '../../webhooks/incoming/archive-check.ts'
import { refuseForeignDeliveries } from '../../webhooks/outgoing/archive-check.ts'
import { refuseForeignSubscriptions } from '../../webhooks/subscriptions/archive-check.ts'
import { rethrowFileError } from '../backup/file.ts'
import type { TableShape } from '../rows/shape.ts'
import { encryptTarget, openStored, parseTarget } from '../tenant-database.ts'
import { withTenantKeyLock } from '../tenant-lock.ts'
import { restoreFiles } from './files.ts'
import {
  finishImport,
  importRows,
  isImportUnfinished,
  prepareTarget,
  type RowImport,
  removeImportedRows,
} from './import-rows.ts'
import type { ArchiveManifest } from './manifest.ts'
import { examineArchive, type OpenedArchive, openArchive, removeStaleCopy } from './open.ts'
import { importedAction, refuseConflicts, registerTenant, tenantExists } from './register.ts'
import { refuseInvalidRows } from './rows/check.ts'
import { purposesOf } from './rows/encrypted.ts'
import { refuseForeignParts } from './rows/file-part.ts'
import { readRowSchemas } from './rows/row-schema.ts'
import { archivedFromShared, archivedShapes } from './table.ts'

/** The phases of an import, in this order. */
export type ImportPhase = 'verified' | 'copying' | 'copied' | 'registered'

export interface ImportOptions {
  /** The archive, which is not modified. */
  from: string
  /** A connection string, or `null` for the shared database. */
  to: string | null
  /** Replaces the subdomain of the archive; `null` for none. */
  subdomain?: string | null
  /** Subdomains that the setting reserves: the imported tenant gets one only if `subdomain` names it. */
  reserved?: readonly string[]
  /** Replaces rows of the tenant that the database already has. */
  replace?: boolean
  /** The folder for a temporary copy of the archive. */
  folder: string
  /** Called when a phase begins. */
  reached?: (phase: ImportPhase) => Promise<void> | void
}

/**
 * After a crash, running it again finishes the import.
 * @returns the manifest of the archive
 * @throws ServiceError `invalid` for an archive or a database that is not accepted, `conflict` for existing rows or
 *   names; DamagedFile; CopyDiffers; DatabaseUnavailable
 */
export async function importTenant(context: Context, options: ImportOptions): Promise<ArchiveManifest> {
  const manifest = examineArchive(context, options.from)
  await withImportLock(context, manifest, async (shared) => {
    removeStaleCopy(options.folder, manifest.tenant.id)
    if (await finishEarlierImport(context, manifest)) return
    await using archive = await openArchive(context, manifest, { path: options.from, folder: options.folder })
    await importOpened(context, archive, { ...options, shared })
  }).catch(rethrowFileError)
  return manifest
}

/**
 * Abandons an unfinished import, and removes its rows.
 * @returns the manifest of the archive
 * @throws ServiceError `notFound` when the database has no import of this archive, `conflict` when the tenant exists
 */
export async function abandonImport(
  context: Context,
  { from, to, folder }: Pick<ImportOptions, 'from' | 'to' | 'folder'>,
): Promise<ArchiveManifest> {
  const manifest = examineArchive(context, from)
  const { tenant, id } = manifest
  await withImportLock(context, manifest, async (shared) => {
    removeStaleCopy(folder, tenant.id)
    if ((await findTenant(registry(context), foldTenantId(tenant.id))) !== null) throw tenantExists(tenant.id)
    await withTarget(context, { to, shared }, async (target) => {
      if (!(await isImportUnfinished(target, tenant.id, id)))
        throw new ServiceError('notFound', `${target.name} has no unfinished import of this archive.`)
      const { executor } = target.database
      const { ofTenant } = await archivedShapes(executor, context.shared.migrations)
      await context.shared.files.store.removeTenant(tenant.id)
      await removeImportedRows(target, tenant.id, ofTenant)
    })
  })
  return manifest
}

/** @throws ServiceError `conflict` while another process moves or imports a tenant */
function withImportLock(
  context: Context,
  { tenant }: ArchiveManifest,
  work: (shared: DedicatedDatabase) => Promise<void>,
): Promise<void> {
  const task = { others: 'moving or importing', allowUnknownTables: false, work }
  return withTenantKeyLock(context, foldTenantId(tenant.id), task)
}

async function withTarget(
  context: Context,
  { to, shared }: { to: string | null; shared: DedicatedDatabase },
  work: (target: DedicatedDatabase) => Promise<void>,
): Promise<void> {
  if (to === null) return work(shared)
  await using target = await context.shared.tenantDatabases.openDedicated(parseTarget(context, to))
  await work(target)
}

/** @returns whether an earlier run had registered the tenant, and was interrupted before its end */
async function finishEarlierImport(context: Context, { tenant, id }: ArchiveManifest): Promise<boolean> {
  const catalogue = registry(context)
  const key = foldTenantId(tenant.id)
  const imports = await auditedDetails(catalogue.ofTenant(tenant.id), importedAction)
  const isOfThisArchive = imports.some(({ archive }) => archive === id)
  if (!isOfThisArchive || (await findTenant(catalogue, key)) === null) return false
  await using own = await openStored(context, await findConnectionString(catalogue, key), { tenantId: key })
  const isUnfinished = await isImportUnfinished(own, tenant.id, id)
  if (isUnfinished) await finishImport(own, tenant.id)
  return isUnfinished
}

interface LockedImport extends ImportOptions {
  shared: DedicatedDatabase
}

async function importOpened(context: Context, archive: OpenedArchive, given: LockedImport): Promise<void> {
  const { to, reached } = given
  const { tenantDatabases, migrations } = context.shared
  const { tenant } = archive.manifest
  const { all, ofTenant, ofCatalogue } = await archivedShapes(archive.copy.executor, migrations)
  const subdomain = readSubdomain(given.subdomain === undefined ? tenant.subdomain : given.subdomain)
  if (given.subdomain === undefined) refuseReservedUnasked(subdomain, given.reserved ?? [])
  if (to !== null) tenantDatabases.check(to)
  await refuseForeignRows(context, archive, all)
  await refuseConflicts(context, { archive, shapes: ofCatalogue, subdomain })
  await reached?.('verified')
  await withTarget(context, given, async (target) => {
    const rowImport = { archive, target, shapes: ofTenant }
    await prepareTarget(rowImport, given.replace === true)
    try {
      await reached?.('copying')
      await importRows(rowImport)
      await restoreFiles(context, archive)
      await reached?.('copied')
      // Marked now, because the mark has to exist when the tenant is served from its own database.
      if (to !== null) await context.shared.markPendingTenant(tenant.id)
      await registerTenant(context, {
        archive,
        subdomain,
        shapes: to === null ? ofCatalogue : [...ofCatalogue, ...recordTablesIn(ofTenant)],
        connection: encryptTarget(context, to),
        identity: target.identity,
      })
    } catch (error) {
      await undoImport(context, rowImport)
      throw error
    }
    await reached?.('registered')
    await finishImport(target, tenant.id)
  })
}

/** Refuses rows that match their digests but that no service can have written. @throws ServiceError `invalid` */
async function refuseForeignRows(
  context: Context,
  { copy, manifest: { tenant, files } }: OpenedArchive,
  shapes: readonly TableShape[],
): Promise<void> {
  const { shared } = context
  const { migrations, secretBox } = shared
  const purposes = purposesOf(await recordedEncryptedColumns(context))
  const schemas = await readRowSchemas(copy.executor, migrations, { ...shared.storedTables(), purposes })
  await refuseInvalidRows(copy.executor, { shapes, schemas, purposes, secretBox, tenant: tenant.id })
  await refuseForeignParts(copy.executor, files === undefined ? null : tenant.id)
  await refuseForeignHashes(shared, new CatalogueData(tenant.id, copy.executor))
  const data = new TenantData(tenant.id, copy.executor)
  await refuseForeignSubscriptions(data)
  await refuseForeignDeliveries(data)
  await refuseForeignRules(data, secretBox)
  await refuseForeignJobs(data)
}

/** @throws ServiceError `invalid` */
function readSubdomain(text: string | null): string | null {
  return inputReader(TenantUpdate)({ subdomain: text }).subdomain?.toLowerCase() ?? null
}

/** Refuses a reserved subdomain that only the archive names. @throws ServiceError `invalid` */
function refuseReservedUnasked(subdomain: string | null, reserved: readonly string[]): void {
  if (!isReserved(subdomain, reserved)) return
  const remedy = "Give it with --subdomain, set another one, or none with --subdomain ''."
  throw new ServiceError('invalid', `The subdomain ${subdomain} of the archive is reserved. ${remedy}`)
}

/** The catalogue gets all idempotency records, because those of commands on the catalogue cannot be distinguished. */
function recordTablesIn(shapes: readonly TableShape[]): TableShape[] {
  return shapes.filter(({ name }) => archivedFromShared.has(name) && name !== eventTable)
}

/** Removes the rows unless the tenant exists: the commit may have succeeded although its acknowledgement was lost. */
async function undoImport(context: Context, { archive, target, shapes }: RowImport): Promise<void> {
  const { tenant } = archive.manifest
  try {
    if ((await findTenant(registry(context), foldTenantId(tenant.id))) !== null) return
    await context.shared.files.store.removeTenant(tenant.id)
    await removeImportedRows(target, tenant.id, shapes)
  } catch (error) {
    const text = 'rows of a failed import not removed'
    context.shared.log.warn({ err: error, tenantId: tenant.id }, text)
  }
}
