/** Restores a backup: nothing is changed before the whole backup is verified. */
import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { masterKeyFile } from '../../core/encryption/master-key.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Migration } from '../../database/migration.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import {
  lockCatalogue,
  lockDataFolder,
  lockFile,
  servingLock,
  servingSuffix,
  type Unlock,
} from '../../database/serving-lock.ts'
import { DamagedFile, inspectSqlite } from '../../database/sqlite/copy.ts'
import { copyFile, digestOf, syncToDisk } from './file.ts'
import { filesIn, removeFormer } from './former-files.ts'
import { type BackedUpFile, type BackupManifest, backupId, isWhole, readManifest } from './manifest.ts'
import { movedTenants } from './moved-tenants.ts'
import { restoreContents, verifyContents } from './restore-contents.ts'
import { removeRestoreMarker, writeRestoreMarker } from './restore-marker.ts'
import { type RestoreTarget, restoredPath } from './restore-target.ts'
import { describeUnknownMigrations, foreignObject } from './schema-check.ts'

export interface RestoreOptions {
  /** The folder of the backup. */
  from: string
  /** Moves existing files aside. */
  force?: boolean
  /** Called for each restored file. */
  report?: (file: BackedUpFile) => void
  /** Prepares the restored databases while no other process may use them. */
  finish: (manifest: BackupManifest) => Promise<void>
}

/**
 * @returns the manifest, and the name of the folder with the files that were moved aside, if there were any
 * @throws ServiceError `invalid`, and nothing is changed; AlreadyServed when a process uses the data folder or a
 *   database
 */
export async function restore(
  target: RestoreTarget,
  { from, force = false, report = () => undefined, finish }: RestoreOptions,
): Promise<{ manifest: BackupManifest; aside: string | null }> {
  const manifest = await verify(from, target)
  const backup = realpathSync(from) // the path must lead to the backup also when links in the data folder are moved
  const targets = new Map(manifest.databases.map((entry) => [entry, restoredPath(entry, target)]))
  makePrivateFolder(target.dataDir)
  const unlock: Unlock[] = [lockDataFolder(target.dataDir)]
  try {
    unlock.push(lockCatalogue(target.shared))
    const aside = await withFilesLocked([...targets.values()], target, async () => {
      const except = await tenantsElsewhere(manifest, target)
      const replaced = await removeFormer({ manifest, target, from: backup, force, except })
      await writeRestoreMarker(target.dataDir, { stage: 'filling', backup: backupId(manifest) })
      for (const [entry, path] of targets) {
        await restoreFile(join(backup, entry.file), path, { entry, migrations: target.migrations })
        report(entry)
      }
      if (manifest.files !== undefined && target.contents !== null)
        await restoreContents(backup, target.contents, { files: manifest.files, except })
      return replaced
    })
    // It opens the files, and locks them itself. Other processes are kept out by the lock of the data folder.
    await finish(manifest)
    await removeRestoreMarker(target.dataDir)
    return { manifest, aside }
  } finally {
    for (const each of unlock.toReversed()) each()
  }
}

/** Locks the restored files and all served files: a service with another data folder may have links to them. */
async function withFilesLocked<T>(
  targets: readonly string[],
  { dataDir, shared }: RestoreTarget,
  work: () => Promise<T>,
): Promise<T> {
  const served = filesIn(dataDir).filter((path) => path.endsWith(servingSuffix))
  const paths = [...targets, ...served.map((path) => path.slice(0, -servingSuffix.length))]
  const byLock = new Map(paths.map((path) => [servingLock(path), path]))
  if (shared.kind === 'sqlite') byLock.delete(servingLock(shared.path))
  const unlock: Unlock[] = []
  try {
    for (const path of byLock.values()) unlock.push(lockFile(path))
    return await work()
  } finally {
    for (const each of unlock) each()
  }
}

async function verify(from: string, target: RestoreTarget): Promise<BackupManifest> {
  const { secretBox, migrations, contents } = target
  const manifest = readManifest(from)
  if ((manifest.files?.count ?? 0) > 0 && contents === null)
    throw new ServiceError(
      'invalid',
      'The backup has files, but FILES_URL names another store. Restore without FILES_URL, then copy the files there.',
    )
  if (!secretBox.keyIds.includes(manifest.masterKey)) {
    const text = `The backup needs the master key ${manifest.masterKey}. The settings have ${secretBox.keyIds.join(', ')}.`
    const remedy = `Set MASTER_KEY or PREVIOUS_MASTER_KEYS, or put the file ${masterKeyFile} back first.`
    throw new ServiceError('invalid', `${text} ${remedy}`)
  }
  for (const entry of manifest.databases) {
    await verifyFile(join(from, entry.file), entry)
    await verifySchema(join(from, entry.file), entry, migrations)
  }
  await verifyContents(from, manifest)
  return manifest
}

/** Checked before any part of the schema is evaluated. @throws ServiceError `invalid` */
async function verifySchema(path: string, entry: BackedUpFile, known: readonly Migration[]): Promise<void> {
  const unknown = describeUnknownMigrations(entry, known)
  if (unknown !== null) throw new ServiceError('invalid', `${path} cannot be restored. ${unknown}`)
  const foreign = await foreignObject(path, entry, known)
  if (foreign === null) return
  const text = `${path} cannot be restored: its ${foreign} differs from what this service creates.`
  throw new ServiceError('invalid', text)
}

async function verifyFile(path: string, { bytes, sha256 }: BackedUpFile): Promise<void> {
  if (!existsSync(path)) throw new ServiceError('invalid', `The backup is incomplete: ${path} is missing.`)
  const found = await digestOf(path)
  if (found.bytes === bytes && found.sha256 === sha256) return
  throw new ServiceError('invalid', `The backup is damaged: ${path} does not match its digest.`)
}

/** Tenants of the backup whose rows are in another database by now: the contents of their files stay as they are. */
async function tenantsElsewhere(
  manifest: BackupManifest,
  { shared, dataDir, secretBox, inspect }: RestoreTarget,
): Promise<ReadonlySet<string>> {
  if (isWhole(manifest)) return new Set()
  await using database = (await inspect(shared)).database
  return await movedTenants(database, { dataDir, secretBox }, manifest.databases)
}

/** The file gets its name when it is verified and on the disk. */
async function restoreFile(
  from: string,
  target: string,
  { entry, migrations: known }: { entry: BackedUpFile; migrations: readonly Migration[] },
): Promise<void> {
  makePrivateFolder(dirname(target))
  const draft = `${target}.incomplete`
  rmSync(draft, { force: true })
  const { sha256 } = await copyFile(from, draft)
  if (sha256 !== entry.sha256) throw new ServiceError('invalid', `${from} has changed meanwhile.`)
  // Checked again, because a journal beside the file in the backup may have changed what was read before.
  await verifySchema(draft, entry, known)
  const { rows, migrations } = await inspectSqlite(draft)
  if (!isDeepStrictEqual({ rows, migrations }, { rows: entry.rows, migrations: entry.migrations }))
    throw new DamagedFile(from, 'its rows are not those of the manifest')
  renameSync(draft, target)
  await syncToDisk(dirname(target))
}
