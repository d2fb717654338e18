/** Imports a tenant from its archive. Nothing is changed before the archive is verified; the tenant appears as a whole. */
import { auditedDetails } from '../../core/audit/audit.ts'
import type { Context, DedicatedDatabase } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { eventTable } from '../../core/events/undispatched.ts'
import { inputReader } from '../../core/schema/input.ts'
import { foldTenantId } from '../../core/tenant/directory.ts'
import { findTenant } from '../../core/tenant/sql.ts'
import { CatalogueData, TenantData } from '../../database/data.ts'
import { refuseForeignHashes } from '../../identity/user/credentials.ts'
import { TenantUpdate } from '../../tenancy/schema.ts'
import { findConnectionString } from '../../tenancy/sql.ts'
import { refuseForeignRules } from '../../webhooks/incoming/archive-check.ts'
import { refuseForeignDeliveries } from '../../webhooks/outgoing/archive-check.ts'
import { refuseForeignSubscriptions } from '../../webhooks/subscriptions/archive-check.ts'
import { rethrowFileError } from '../backup/file.ts'
import type { TableShape } from '../rows/shape.ts'
import { encryptTarget, openStored, parseTarget } from '../tenant-database.ts'
import { withTenantKeyLock } from '../tenant-lock.ts'
import type { ArchiveManifest } from './manifest.ts'
import { examineArchive, type OpenedArchive, openArchive, removeStaleCopy } from './open.ts'
import { importedAction, refuseConflicts, registerTenant, tenantExists } from './register.ts'
import { findForeignValue } from './rows/foreign.ts'
import { archivedFromShared, archivedShapes } from './table.ts'
import { clear, hasMark, makeRoom, type Placing, placeRows, removeMark } from './target.ts'

/** The phases of an import, in this order. */
export type ImportPhase = 'verified' | 'copying' | 'copied' | 'registered'

export interface ImportOptions {
  /** The archive, which is not modified. */
  from: string
  /** A connection string, or `null` for the shared database. */
  to: string | null
  /** Replaces the subdomain of the archive; `null` for none. */
  subdomain?: string | null
  /** Removes rows of the tenant that the database already has. */
  replace?: boolean
  /** For a temporary copy of the archive. */
  folder: string
  /** Called when a phase begins. */
  reached?: (phase: ImportPhase) => Promise<void> | void
}

/**
 * After a crash, running it again finishes the import.
 * @returns the manifest of the archive
 * @throws ServiceError `invalid` for an archive or a database that is not accepted, `conflict` for existing rows or names;
 *   DamagedFile; CopyDiffers; DatabaseUnavailable
 */
export async function importTenant(context: Context, options: ImportOptions): Promise<ArchiveManifest> {
  const manifest = examineArchive(context, options.from)
  await withImportLock(context, manifest, async (shared) => {
    removeStaleCopy(options.folder, manifest.tenant.id)
    if (await finishEarlier(context, manifest)) return
    const archive = await openArchive(context, manifest, { path: options.from, folder: options.folder })
    try {
      await importOpened(context, archive, { ...options, shared })
    } finally {
      await archive.close()
    }
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
    if ((await findTenant(context.catalogue, foldTenantId(tenant.id))) !== null) throw tenantExists(tenant.id)
    await inPlace(context, { to, shared }, async (target) => {
      if (!(await hasMark(target, tenant.id, id)))
        throw new ServiceError('notFound', `${target.name} has no unfinished import of this archive.`)
      const { executor } = target.database
      const { ofTenant } = await archivedShapes(executor, context.shared.migrations)
      await clear(target, tenant.id, ofTenant)
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

async function inPlace(
  context: Context,
  { to, shared }: { to: string | null; shared: DedicatedDatabase },
  work: (target: DedicatedDatabase) => Promise<void>,
): Promise<void> {
  if (to === null) return work(shared)
  const target = await context.shared.tenantDatabases.openDedicated(parseTarget(context, to))
  await work(target).finally(() => target.database.close())
}

/** @returns whether an earlier run had registered the tenant and died before its end */
async function finishEarlier(context: Context, { tenant, id }: ArchiveManifest): Promise<boolean> {
  const { catalogue } = context
  const key = foldTenantId(tenant.id)
  const imports = await auditedDetails(catalogue, tenant.id, importedAction)
  const isOfThis = imports.some(({ archive }) => archive === id)
  if (!isOfThis || (await findTenant(catalogue, key)) === null) return false
  const own = await openStored(context, await findConnectionString(catalogue, key))
  try {
    const isUnfinished = await hasMark(own, tenant.id, id)
    if (isUnfinished) await removeMark(own, tenant.id)
    return isUnfinished
  } finally {
    await own.database.close()
  }
}

interface Given extends ImportOptions {
  shared: DedicatedDatabase
}

async function importOpened(context: Context, archive: OpenedArchive, given: Given): Promise<void> {
  const { to, reached } = given
  const { tenantDatabases, migrations } = context.shared
  const { tenant } = archive.manifest
  const { all, ofTenant, ofCatalogue } = await archivedShapes(archive.copy.executor, migrations)
  const subdomain = given.subdomain === undefined ? tenant.subdomain : readSubdomain(given.subdomain)
  if (to !== null) tenantDatabases.check(to)
  await refuseForeignRows(context, archive, all)
  await refuseConflicts(context.catalogue, { archive, shapes: ofCatalogue, subdomain })
  await reached?.('verified')
  await inPlace(context, given, async (target) => {
    const placing = { archive, target, shapes: ofTenant }
    await makeRoom(placing, given.replace === true)
    try {
      await reached?.('copying')
      await placeRows(placing)
      await reached?.('copied')
      // The mark is found when the tenant is served from its own database.
      if (to !== null) await context.shared.markPendingTenant(tenant.id)
      await registerTenant(context, {
        ...{ archive, subdomain },
        shapes: to === null ? ofCatalogue : [...ofCatalogue, ...recordTablesIn(ofTenant)],
        connection: encryptTarget(context, to),
      })
    } catch (error) {
      await undo(context, placing)
      throw error
    }
    await reached?.('registered')
    await removeMark(target, tenant.id)
  })
}

/** Refuses rows that match their digests and yet were not written by a service. @throws ServiceError `invalid` */
async function refuseForeignRows(
  { shared }: Context,
  { copy, manifest: { tenant } }: OpenedArchive,
  shapes: readonly TableShape[],
): Promise<void> {
  const column = await findForeignValue(copy.executor, shapes)
  if (column !== null)
    throw new ServiceError('invalid', `A value of ${column} in the archive has another type.`)
  await refuseForeignHashes(shared, new CatalogueData(copy.executor), tenant.id)
  const data = new TenantData(tenant.id, copy.executor)
  await refuseForeignSubscriptions(data)
  await refuseForeignDeliveries(data)
  await refuseForeignRules(data)
}

/** @throws ServiceError `invalid` */
function readSubdomain(text: string | null): string | null {
  return inputReader(TenantUpdate)({ subdomain: text }).subdomain?.toLowerCase() ?? null
}

/** Idempotency records of commands on the catalogue cannot be told from the others, so the catalogue gets all of them. */
function recordTablesIn(shapes: readonly TableShape[]): TableShape[] {
  return shapes.filter(({ name }) => archivedFromShared.has(name) && name !== eventTable)
}

/** Removes the rows unless the tenant exists: a commit may have succeeded although its acknowledgement was lost. */
async function undo(context: Context, { archive, target, shapes }: Placing): Promise<void> {
  const { tenant } = archive.manifest
  try {
    if ((await findTenant(context.catalogue, foldTenantId(tenant.id))) === null)
      await clear(target, tenant.id, shapes)
  } catch (error) {
    const text = 'rows of a failed import not removed'
    context.shared.log.warn({ err: error, tenantId: tenant.id }, text)
  }
}
