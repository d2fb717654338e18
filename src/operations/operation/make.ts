/** Makes backups and archives below `DATA_DIR`, on the machine of the instance that runs the operation. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Context } from '../../core/context.ts'
import { openForInspection } from '../../database/open.ts'
import { defaultTimeouts } from '../../database/postgres/postgres-database.ts'
import { makePrivateFolder, pathIn } from '../../database/private-file.ts'
import { exportTenant } from '../archive/export.ts'
import { backUp, faultsOfBackup } from '../backup/backup.ts'
import { rethrowFileError } from '../backup/file.ts'
import { foreignObject } from '../backup/schema-check.ts'

/** The result of an operation. Its `error` says what the result lacks. */
export interface Made {
  result: Record<string, unknown>
  error?: string | null
}

interface MakeOptions {
  /** The name of the folder or file: the same in every attempt. */
  name: string
  /** The folder of the contents of files; `null` if another store has them. */
  contents: string | null
  reached: (phase: string) => Promise<void>
}

/** Makes a folder like the command `backup`. */
export async function backUpInstallation(
  { shared }: Context,
  { name, contents, reached }: MakeOptions,
): Promise<Made> {
  const { tenantDatabases, secretBox, migrations } = shared
  const { dataDir, sharedTarget } = tenantDatabases
  const to = pathIn(join(dataDir, 'backups'), name)
  removeEarlierAttempt(to)
  const connections = { ...defaultTimeouts, maxConnections: 1 }
  const inspect = (catalogue: typeof sharedTarget) => openForInspection(catalogue, connections)
  await reached('copying')
  const source = { shared: sharedTarget, inspect, dataDir, secretBox, contents }
  const backup = await backUp(source, { to }).catch(rethrowFileError)
  const { manifest } = backup
  await reached('checking')
  const refused: string[] = []
  for (const entry of manifest.databases)
    if ((await foreignObject(join(to, entry.file), entry, migrations)) !== null) refused.push(entry.file)
  const faults = faultsOfBackup(backup, refused)
  const { databases, files, notIncluded } = manifest
  const bytes = databases.reduce((sum, database) => sum + database.bytes, files?.bytes ?? 0)
  const result = { path: to, bytes, databases: databases.length, files: files?.count ?? 0, notIncluded }
  return { result, error: faults.length === 0 ? null : faults.join(' ') }
}

/** Makes a file like the command `tenant export`. */
export async function exportToArchive(
  context: Context,
  tenantId: string,
  { name, reached }: MakeOptions,
): Promise<Made> {
  const to = pathIn(join(context.shared.tenantDatabases.dataDir, 'exports'), `${tenantId}-${name}.archive`)
  removeEarlierAttempt(to)
  const { tables, bytes, sha256 } = await exportTenant(context, tenantId, { to, reached })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return { result: { path: to, bytes, sha256, rows } }
}

/** Removes what a killed attempt has left: a draft, or a complete result that was not recorded. @throws ServiceError */
function removeEarlierAttempt(to: string): void {
  const folder = dirname(to)
  try {
    makePrivateFolder(folder)
    for (const name of readdirSync(folder))
      if (name.startsWith(`${basename(to)}.incomplete-`))
        rmSync(join(folder, name), { recursive: true, force: true })
    if (existsSync(to)) rmSync(to, { recursive: true })
  } catch (error) {
    rethrowFileError(error)
  }
}
