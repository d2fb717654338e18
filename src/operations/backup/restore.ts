/** Restores a backup: nothing is changed before the whole backup is verified. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { masterKeyFile } from '../../core/encryption/master-key.ts'
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { ServiceError } from '../../core/errors.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import type { Database } from '../../database/executor.ts'
import type { Migration } from '../../database/migration.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import {
  isLockFile,
  lockCatalogue,
  lockDataFolder,
  lockFile,
  servingLock,
  servingSuffix,
  type Unlock,
} from '../../database/serving-lock.ts'
import { DamagedFile, inspectSqlite } from '../../database/sqlite/copy.ts'
import type { DatabaseTarget } from '../../database/target.ts'
import { folderOfTenant } from '../../files/store/local-store.ts'
import { tenantFolder } from '../../tenancy/connection-string.ts'
import { initializedMarker } from '../lost-catalogue.ts'
import { copyFile, digestOf, syncToDisk } from './file.ts'
import { type BackedUpFile, type BackupManifest, catalogueFile, isWhole, readManifest } from './manifest.ts'
import { movedTenants } from './moved-tenants.ts'
import { restoreContents, verifyContents } from './restore-contents.ts'
import { readRestoreStage, removeRestoreMarker, restoreMarker, writeRestoreMarker } from './restore-marker.ts'
import { describeUnknownMigrations, foreignObject } from './schema-check.ts'

export interface RestoreTarget {
  /** The database of the catalogue. */
  shared: DatabaseTarget
  /** Opens a catalogue for reading; it may be empty. */
  inspect: (catalogue: DatabaseTarget) => Promise<{ database: Database }>
  dataDir: string
  secretBox: SecretBox
  /** The folder of the contents of files; `null` if another store has them. */
  contents: string | null
  /** The migrations that this version and its features know. */
  migrations: readonly Migration[]
}

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

/** The endings of a database and the files that SQLite keeps beside it. */
const databaseEndings = ['', '-wal', '-shm', '-journal']

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
  const targets = new Map(manifest.databases.map((entry) => [entry, targetOf(entry, target)]))
  makePrivateFolder(target.dataDir)
  const unlock: Unlock[] = [lockDataFolder(target.dataDir)]
  try {
    unlock.push(lockCatalogue(target.shared))
    const aside = await withFilesLocked([...targets.values()], target, async () => {
      const except = await tenantsElsewhere(manifest, target)
      const replaced = await removeExisting(manifest, target, { force, except })
      await writeRestoreMarker(target.dataDir, 'filling')
      for (const [entry, path] of targets) {
        await restoreFile(join(from, entry.file), path, { entry, migrations: target.migrations })
        report(entry)
      }
      if (manifest.files !== undefined && target.contents !== null)
        await restoreContents(from, target.contents, { files: manifest.files, except })
      return replaced
    })
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

function targetOf({ file }: BackedUpFile, { shared, dataDir }: RestoreTarget): string {
  if (file !== catalogueFile) return join(tenantFolder(dataDir), basename(file))
  if (shared.kind === 'sqlite') return shared.path
  throw new ServiceError(
    'invalid',
    'The backup has an embedded catalogue, but DATABASE_URL names PostgreSQL.',
  )
}

/** Tenants of the backup whose rows are in another database by now: the contents of their files stay as they are. */
async function tenantsElsewhere(
  manifest: BackupManifest,
  { shared, dataDir, secretBox, inspect }: RestoreTarget,
): Promise<ReadonlySet<string>> {
  if (isWhole(manifest)) return new Set()
  const { database } = await inspect(shared)
  try {
    return await movedTenants(database, { dataDir, secretBox }, manifest.databases)
  } finally {
    await database.close()
  }
}

/** @returns the name of the folder with the files that were moved aside; `null` when there were none */
async function removeExisting(
  manifest: BackupManifest,
  target: RestoreTarget,
  { force, except }: { force: boolean; except: ReadonlySet<string> },
): Promise<string | null> {
  const { dataDir } = target
  const stage = readRestoreStage(dataDir)
  const existing = existingFiles(manifest, target, except)
  if (existing.length === 0) return null
  if (stage === 'filling') {
    for (const path of existing) rmSync(path)
    return null
  }
  if (!force && stage === null) {
    const first = existing[0] ?? ''
    throw new ServiceError('invalid', `${first} already exists. --force moves it aside first.`)
  }
  await writeRestoreMarker(dataDir, 'clearing')
  const name = `${asidePrefix}${new Date().toISOString().replaceAll(/[^0-9]/g, '')}`
  await moveAside(existing, dataDir, name)
  return name
}

const asidePrefix = 'replaced-'

/** A catalogue outside the data folder stays in its folder, which may be on another file system. */
async function moveAside(paths: string[], dataDir: string, name: string): Promise<void> {
  const changed = new Set<string>()
  for (const path of paths) {
    const root = isWithin(dataDir, path) ? dataDir : dirname(path)
    const target = join(root, name, relative(root, path))
    makePrivateFolder(dirname(target))
    renameSync(path, target)
    for (const folder of [root, dirname(target), dirname(path)]) changed.add(folder)
  }
  for (const folder of changed) await syncToDisk(folder)
}

/** A full backup replaces all of the data folder; a backup of one tenant replaces its database and its files. */
function existingFiles(
  manifest: BackupManifest,
  target: RestoreTarget,
  except: ReadonlySet<string>,
): string[] {
  const { dataDir } = target
  const { databases } = manifest
  const targets = databases.flatMap((entry) =>
    databaseEndings.map((ending) => `${targetOf(entry, target)}${ending}`),
  )
  const existing = targets.filter((path) => existsSync(path))
  if (!isWhole(manifest)) return [...existing, ...existingContents(manifest, target, except)]
  const own = [masterKeyFile, restoreMarker, initializedMarker].map((name) => join(dataDir, name))
  return [
    ...filesIn(dataDir).filter((path) => !own.includes(path) && !isLockFile(basename(path))),
    ...existing.filter((path) => !isWithin(dataDir, path)),
  ]
}

/** Contents of the restored tenants. Unless they are removed, those without a row in the backup stay forever. */
function existingContents(
  { databases, files }: BackupManifest,
  { contents }: RestoreTarget,
  except: ReadonlySet<string>,
): string[] {
  if (files === undefined || contents === null) return []
  const tenants = databases.flatMap((entry) => entry.tenants.filter((id) => !except.has(foldTenantId(id))))
  const folders = tenants.map((id) => folderOfTenant(contents, id))
  return folders.filter((folder) => existsSync(folder)).flatMap(filesIn)
}

/** All files below a folder, without files that earlier restores have moved aside. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !relative(folder, path).startsWith(asidePrefix))
}

function isWithin(folder: string, path: string): boolean {
  return path.startsWith(`${folder}${sep}`)
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
