/** Exports a tenant, while it is served, into one file: a database of the service with only this tenant. */

import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Context, hostTenantId, now } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import { recordedEncryptedColumns } from '../../core/encryption/prepare.ts'
import { ServiceError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { storeDigestKey } from '../../core/idempotency/former-key.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { namesOfApplied } from '../../database/migrate/history.ts'
import { makePrivateFile } from '../../database/private-file.ts'
import { openSqliteExclusively } from '../../database/sqlite/exclusive-database.ts'
import { version } from '../../database/version.ts'
import { type Digest, digestOf, rethrowFileError, syncToDisk } from '../backup/file.ts'
import { reencryptDatabase } from '../reencrypt/reencrypt-database.ts'
import { digestTables } from '../rows/compare.ts'
import { archiveFiles } from './files.ts'
import { copyTenant } from './fill.ts'
import { type ArchivedTable, type ArchiveManifest, describeTenant, manifestText } from './manifest.ts'
import { createEmptyTables, writeManifestText } from './rows/file.ts'
import { readTenantState } from './state.ts'
import { type ArchivedShapes, archivedShapes } from './table.ts'

/** The phases of an export, in this order. */
export type ExportPhase = 'copying' | 'copied' | 'written'

export interface ExportOptions {
  /** The file must not exist. */
  to: string
  /** Called when a phase begins. */
  reached?: (phase: ExportPhase) => Promise<void> | void
}

export interface Exported extends Digest {
  tenantId: string
  tables: ArchivedTable[]
}

/**
 * @returns the tables and the digest of the file
 * @throws ServiceError `notFound`, `invalid` for the host tenant or a file that exists, `conflict` when the tenant is
 *   being assigned another database, `unavailable` for an error of the file system; CopyDiffers; DatabaseUnavailable
 */
export async function exportTenant(
  context: Context,
  id: string,
  { to, reached }: ExportOptions,
): Promise<Exported> {
  const key = foldTenantId(id)
  if (key === hostTenantId)
    throw new ServiceError('invalid', 'The host tenant belongs to this installation and cannot be exported.')
  refuseExisting(to)
  const draft = `${to}.incomplete-${randomBytes(4).toString('hex')}`
  try {
    makePrivateFile(draft)
    const { tenantId, tables } = await writeDraft(context, key, defined({ to: draft, reached }))
    await syncToDisk(draft)
    await reached?.('written')
    refuseExisting(to)
    renameSync(draft, to)
    await syncToDisk(dirname(to))
    return { tenantId, tables, ...(await digestOf(to)) }
  } catch (error) {
    rmSync(draft, { force: true })
    return rethrowFileError(error)
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new ServiceError('invalid', `${path} already exists.`)
}

async function writeDraft(
  context: Context,
  key: string,
  { to, reached }: ExportOptions,
): Promise<Pick<Exported, 'tenantId' | 'tables'>> {
  const { tenantDatabases, migrations } = context.shared
  await using shared = await tenantDatabases.openDedicated(tenantDatabases.sharedTarget)
  await using draft = openSqliteExclusively(to)
  await createEmptyTables(draft, migrations)
  const shapes = await archivedShapes(draft.executor, migrations)
  await reached?.('copying')
  const tenant = await readTenantState(context, shared.database, key, async (state) => {
    await copyTenant(draft, state, shapes)
    return state.tenant
  })
  const files = await archiveFiles(context, draft, tenant.id)
  await reached?.('copied')
  const records = new TenantData(tenant.id, draft.executor)
  await storeDigestKey(records, context)
  const encrypted = await reencryptDraft(context, draft, shapes)
  const tables = await digestTables(draft.executor, shapes.all, { tenant: tenant.id, ignored: new Set() })
  const manifest = {
    version,
    id: newId(),
    exportedAt: now(context),
    masterKey: context.shared.secretBox.keyId,
    tenant: describeTenant(tenant),
    tables,
    encrypted,
    migrations: [...(await namesOfApplied(draft))].map(String).toSorted(),
    files,
  }
  await writeManifestText(draft, manifestText(manifest))
  return { tenantId: tenant.id, tables }
}

/** Re-encrypts all secrets under one key. @throws ServiceError `unavailable` for a secret that no key decrypts */
async function reencryptDraft(
  context: Context,
  draft: Database,
  { all }: ArchivedShapes,
): Promise<ArchiveManifest['encrypted']> {
  const names = new Set(all.map(({ name }) => name))
  const columns = (await recordedEncryptedColumns(context)).filter(({ table }) => names.has(table))
  const { secretBox } = context.shared
  const { left } = await reencryptDatabase(draft, columns, { secretBox, dryRun: false })
  if (left === 0) return columns.map((column) => ({ ...column, key: [...column.key] }))
  const text = `${left} secrets of the tenant cannot be decrypted with the master keys ${secretBox.keyIds.join(', ')}.`
  throw new ServiceError('unavailable', `${text} Add the missing key to PREVIOUS_MASTER_KEYS.`)
}
