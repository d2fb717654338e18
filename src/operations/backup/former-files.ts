/** The files in the place of a restore: refused, or moved aside, before files of the backup are copied there. */
import { existsSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { masterKeyFile } from '../../core/encryption/master-key.ts'
import { ServiceError } from '../../core/errors.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import { isLockFile } from '../../database/serving-lock.ts'
import { folderOfTenant } from '../../files/store/local-store.ts'
import { initializedMarker } from '../lost-catalogue.ts'
import { syncToDisk } from './file.ts'
import { type BackupManifest, backupId, isWhole } from './manifest.ts'
import { readUnfinishedRestore, restoreMarker, writeRestoreMarker } from './restore-marker.ts'
import { type RestoreTarget, restoredPath } from './restore-target.ts'

export interface Replacing {
  manifest: BackupManifest
  target: RestoreTarget
  /** The real path of the backup. If it is in the data folder, it stays there. */
  from: string
  /** Moves existing files aside, instead of refusing the restore. */
  force: boolean
  /** The case-folded ids of tenants whose contents of files stay as they are. */
  except: ReadonlySet<string>
}

/**
 * @returns the name of the folder with the files that were moved aside; `null` when there were none
 * @throws ServiceError `invalid`, and nothing is changed
 */
export async function removeFormer(replacing: Replacing): Promise<string | null> {
  const { manifest, target, force } = replacing
  const { dataDir } = target
  const backup = backupId(manifest)
  const unfinished = readUnfinishedRestore(dataDir)
  const isContinued = unfinished?.backup === backup
  if (unfinished !== null && !isContinued && !isWhole(manifest)) throw otherUnfinished(dataDir)
  const former = formerFiles(replacing)
  const [first] = former
  if (first === undefined) return null
  if (isContinued && unfinished.stage === 'filling') {
    // The interrupted run has moved the former files aside: what is here now, it has copied from the backup.
    for (const path of former) rmSync(path)
    return null
  }
  if (!force && !isContinued)
    throw new ServiceError('invalid', `${first} already exists. --force moves it aside first.`)
  await writeRestoreMarker(dataDir, { stage: 'clearing', backup })
  const name = `${asidePrefix}${new Date().toISOString().replaceAll(/[^0-9]/g, '')}`
  await moveAside(former, dataDir, name)
  return name
}

/** After a restore of a part, the mark would be removed although other files are incomplete. */
function otherUnfinished(dataDir: string): ServiceError {
  const text = `A restore of another backup into ${dataDir} was not finished. Run that restore again, or restore a backup of the whole installation with --force.`
  const remedy = `If neither is possible, remove ${join(dataDir, restoreMarker)}: the databases of that backup may be incomplete.`
  return new ServiceError('invalid', `${text} ${remedy}`)
}

const asidePrefix = 'replaced-'

/** A catalogue outside the data folder stays in its folder, which may be on another file system. */
async function moveAside(paths: readonly string[], dataDir: string, name: string): Promise<void> {
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

/** The endings of a database and the files that SQLite keeps beside it. */
const databaseEndings = ['', '-wal', '-shm', '-journal']

/** A full backup replaces all of the data folder; a backup of one tenant replaces its database and its files. */
function formerFiles(replacing: Replacing): string[] {
  const { manifest, target } = replacing
  const { dataDir } = target
  const targets = manifest.databases.flatMap((entry) =>
    databaseEndings.map((ending) => `${restoredPath(entry, target)}${ending}`),
  )
  const existing = targets.filter((path) => existsSync(path))
  const backup = folderInside(dataDir, replacing.from)
  const isReplaced = (path: string) => backup === null || !isWithin(backup, path)
  if (!isWhole(manifest)) return [...existing, ...formerContents(replacing)].filter(isReplaced)
  // A data folder that has lost its databases still has these files, and is restored without --force.
  const kept = [masterKeyFile, restoreMarker, initializedMarker].map((name) => join(dataDir, name))
  return [
    ...filesIn(dataDir).filter((path) => !kept.includes(path) && !isLockFile(basename(path))),
    ...existing.filter((path) => !isWithin(dataDir, path)),
  ].filter(isReplaced)
}

/** @returns the path of the backup below the data folder; `null` if it is elsewhere @throws ServiceError `invalid` */
function folderInside(dataDir: string, from: string): string | null {
  const inside = relative(realpathSync(dataDir), from)
  if (inside === '')
    throw new ServiceError('invalid', `${from} is the data folder itself. Move the backup elsewhere first.`)
  return inside === '..' || inside.startsWith(`..${sep}`) ? null : join(dataDir, inside)
}

/** Contents of the restored tenants. Unless they are removed, those without a row in the backup stay forever. */
function formerContents({ manifest, target, except }: Replacing): string[] {
  const { databases, files } = manifest
  const { contents } = target
  if (files === undefined || contents === null) return []
  const tenants = databases.flatMap((entry) => entry.tenants.filter((id) => !except.has(foldTenantId(id))))
  const folders = tenants.map((id) => folderOfTenant(contents, id))
  return folders.filter((folder) => existsSync(folder)).flatMap(filesIn)
}

/** All files below a folder, without files that earlier restores have moved aside. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !relative(folder, path).startsWith(asidePrefix))
}

function isWithin(folder: string, path: string): boolean {
  return path.startsWith(`${folder}${sep}`)
}
