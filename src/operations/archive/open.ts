/** Opens an archive: verifies it, and creates a copy that is migrated and re-encrypted under the current master key. */
import { hash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../core/context.ts'
import { masterKeyFile } from '../../core/encryption/master-key.ts'
import { recordedEncryptedColumns } from '../../core/encryption/prepare.ts'
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { ServiceError } from '../../core/errors.ts'
import { registry } from '../../core/tenant/directory.ts'
import type { Database } from '../../database/executor.ts'
import { migrate } from '../../database/migrate/apply.ts'
import { unknownMigrations } from '../../database/migrate/history.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import { inspectSqlite } from '../../database/sqlite/copy.ts'
import { openSqliteExclusively } from '../../database/sqlite/exclusive-database.ts'
import { isDamage, isTooBig } from '../../database/sqlite/failure.ts'
import { copyFile } from '../backup/file.ts'
import { reencryptDatabase } from '../reencrypt/reencrypt-database.ts'
import { digestTables } from '../rows/compare.ts'
import { tenantTables } from '../rows/shape.ts'
import { type ArchiveManifest, newerVersion, readManifest } from './manifest.ts'
import { refuseForeignTypes } from './rows/check.ts'
import { manifestTable } from './rows/file.ts'
import { filePartShape, filePartTable } from './rows/file-part.ts'
import { foreignObjects, maxArchivedBytes } from './rows/foreign.ts'
import { findArchivedTenant } from './sql.ts'
import { installationTables } from './table.ts'

/** In the end, its copy is removed. */
export interface OpenedArchive extends AsyncDisposable {
  manifest: ArchiveManifest
  /** Migrated to this version, and encrypted under the current master key. */
  copy: Database
}

/**
 * Checks the manifest, without reading the rows.
 * @param path of the archive, which is not modified
 * @throws ServiceError `invalid` for an archive that is damaged, of a newer version, or encrypted under an unknown key
 */
export function examineArchive({ shared }: Context, path: string): ArchiveManifest {
  const manifest = readManifest(path)
  const unknown = unknownMigrations(manifest.migrations, shared.migrations)
  if (unknown.length > 0) throw newerVersion(path, manifest.version, unknown)
  requireKey(path, manifest, shared.secretBox)
  return manifest
}

/** Removes the copy that an interrupted import of the tenant has left. To be called under the lock of imports. */
export function removeStaleCopy(folder: string, tenantId: string): void {
  rmSync(copyPath(folder, tenantId), { force: true })
}

/**
 * Verifies every row.
 * @param folder for the copy @throws ServiceError `invalid`; DamagedFile; MigrationFailed; DatabaseUnavailable
 */
export async function openArchive(
  context: Context,
  manifest: ArchiveManifest,
  { path, folder }: { path: string; folder: string },
): Promise<OpenedArchive> {
  makePrivateFolder(folder)
  const copied = copyPath(folder, manifest.tenant.id)
  try {
    await copyFile(path, copied)
    await refuseForeignSchema(context, manifest, { path, copied })
    const { migrations } = await inspectSqlite(copied, path)
    if (!isDeepStrictEqual(migrations, manifest.migrations)) throw damaged(path, 'it has other migrations')
    const copy = openSqliteExclusively(copied, maxArchivedBytes)
    try {
      await verify(copy, manifest, path)
      await migrate(copy, context.shared.migrations)
      await reencryptCopy(context, copy, manifest)
    } catch (error) {
      await copy.close()
      throw isTooBig(error) ? damaged(path, `a row in it has more than ${maxArchivedBytes} bytes`) : error
    }
    const close = async (): Promise<void> => {
      await copy.close()
      rmSync(copied, { force: true })
    }
    return { manifest, copy, [Symbol.asyncDispose]: close }
  } catch (error) {
    rmSync(copied, { force: true })
    throw error
  }
}

/** Checked before any part of the schema is evaluated. @throws ServiceError `invalid` */
async function refuseForeignSchema(
  { shared }: Context,
  manifest: ArchiveManifest,
  { path, copied }: { path: string; copied: string },
): Promise<void> {
  const tables = manifest.files === undefined ? [manifestTable] : [manifestTable, filePartTable]
  const foreign = await foreignObjects(
    copied,
    { named: manifest.migrations, known: shared.migrations },
    { tables, allowRuntimeObjects: false },
  ).catch((error: unknown) => {
    throw isDamage(error) ? damaged(path, error.message) : error
  })
  const [first] = foreign
  if (first !== undefined) throw damaged(path, `its ${first} differs from what this service creates`)
}

function copyPath(folder: string, tenantId: string): string {
  return join(folder, `import-${hash('sha256', tenantId).slice(0, 16)}.db`)
}

async function verify(
  copy: Database,
  { tenant, tables, files }: ArchiveManifest,
  path: string,
): Promise<void> {
  const found = await findArchivedTenant(registry(copy.executor))
  if (!isDeepStrictEqual({ ...found }, { ...tenant }))
    throw damaged(path, 'its tenant is not that of its manifest')
  const shapes = (await tenantTables(copy.executor)).filter(({ name }) => !installationTables.has(name))
  await refuseForeignTypes(copy.executor, files === undefined ? shapes : [...shapes, filePartShape])
  const digests = await digestTables(copy.executor, shapes, { tenant: tenant.id, ignored: new Set() })
  const written = new Map(tables.map((one) => [one.table, one]))
  const differing = digests.filter((one) => !isDeepStrictEqual(written.get(one.table), one))
  const missing = tables.filter(({ table }) => !shapes.some(({ name }) => name === table))
  const names = [...differing, ...missing].map(({ table }) => table)
  if (names.length > 0) throw damaged(path, `the rows of ${names.join(', ')} do not match their digests`)
}

/** Re-encrypts the columns that the manifest names, and those that migrations have added since. */
async function reencryptCopy(
  context: Context,
  copy: Database,
  { encrypted }: ArchiveManifest,
): Promise<void> {
  const { secretBox } = context.shared
  const shapes = new Map((await tenantTables(copy.executor)).map((shape) => [shape.name, shape]))
  for (const { table, key } of encrypted)
    if (!isDeepStrictEqual(shapes.get(table)?.primary, key))
      throw new ServiceError('invalid', `The manifest of the archive names no key of the table ${table}.`)
  const known = await recordedEncryptedColumns(context)
  const columns = new Map([...encrypted, ...known].map((one) => [`${one.table}.${one.column}`, one]))
  const { left } = await reencryptDatabase(copy, [...columns.values()], { secretBox, dryRun: false })
  if (left > 0)
    throw new ServiceError('invalid', `The archive has ${left} secrets that no known key decrypts.`)
}

function requireKey(path: string, { masterKey }: ArchiveManifest, secretBox: SecretBox): void {
  if (secretBox.keyIds.includes(masterKey)) return
  const text = `${path} needs the master key ${masterKey}. The settings have ${secretBox.keyIds.join(', ')}.`
  const remedy = `Add the key of the exporting installation (MASTER_KEY, or its file ${masterKeyFile}) to PREVIOUS_MASTER_KEYS first.`
  throw new ServiceError('invalid', `${text} ${remedy}`)
}

function damaged(path: string, fault: string): ServiceError {
  return new ServiceError('invalid', `${path} is damaged: ${fault}.`)
}
