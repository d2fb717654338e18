/** Folders and files that only the owner of the process can access, whatever the umask. */

import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseDatabaseUrl } from './target.ts'
import { errorCode } from './thrown.ts'

const folderMode = 0o700
const fileMode = 0o600
/** The permissions of the group and of others. */
const modeOfOthers = 0o077

/**
 * Creates the folder and its missing parents; existing folders stay as they are. The option `recursive` of Node.js
 * never returns where the system reports a missing parent for a folder that it refuses, as in `/proc`.
 */
export function makePrivateFolder(path: string): void {
  if (isFolder(path) || tryCreate(path)) return
  makePrivateFolder(dirname(path))
  if (!tryCreate(path)) mkdirSync(path) // throws the system's error
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** @returns false when the parent is missing @throws any other error of the system */
function tryCreate(path: string): boolean {
  try {
    mkdirSync(path, folderMode)
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' && path !== dirname(path)) return false
    // Another process has created it.
    if (code === 'EEXIST' && isFolder(path)) return true
    throw error
  }
  chmodSync(path, folderMode)
  return true
}

/**
 * Creates an empty file if there is none: SQLite would create it readable for all, and gives the files beside a
 * database the mode of the database. An existing file is not opened: closing it would release its POSIX locks.
 */
export function makePrivateFile(path: string): void {
  try {
    const file = openSync(path, 'wx', fileMode)
    fchmodSync(file, fileMode)
    closeSync(file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/**
 * Joins a folder and a name that comes from a row, which may be one of a foreign backup.
 * @throws Error for a name that leads out of the folder
 */
export function pathIn(folder: string, name: string): string {
  if (basename(name) === name && !['', '.', '..'].includes(name)) return join(folder, name)
  throw new Error(`This is no name of a file: ${JSON.stringify(name.slice(0, 100))}.`)
}

/** @returns advice for the data folder, and a database outside of it, that other users of this machine can read */
export function permissionWarnings({
  dataDir,
  databaseUrl,
}: {
  dataDir: string
  databaseUrl: string
}): string[] {
  const warnings = [permissionWarning(dataDir)]
  const target = parseDatabaseUrl(databaseUrl)
  const isOutside = target.kind === 'sqlite' && dirname(target.path) !== dataDir
  if (isOutside && permissionWarning(dirname(target.path)) !== null)
    warnings.push(permissionWarning(target.path))
  return warnings.filter((text) => text !== null)
}

/** @returns advice for a folder or a file that other users can read; `null` for a private one */
function permissionWarning(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  if (process.platform === 'win32' || found === undefined || (found.mode & modeOfOthers) === 0) return null
  const mode = found.isDirectory() ? folderMode : fileMode
  return `Other users of this machine can read ${path}: run chmod ${mode.toString(8)} ${path}.`
}
