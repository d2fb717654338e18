/** Folders and files for the owner of the process alone, whatever its umask and whatever a library makes of them. */
import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const folderMode = 0o700
const fileMode = 0o600
/** Of the group and of all others. */
const modeOfOthers = 0o077

/**
 * Makes the folder and those above it where they are missing. One that exists is left as it is. That of Node.js
 * (`recursive`) does not end where the system refuses a folder as if the one above were missing, as in `/proc`.
 */
export function makePrivateFolder(path: string): void {
  if (isFolder(path) || made(path)) return
  makePrivateFolder(dirname(path))
  if (!made(path)) mkdirSync(path) // throws what is in the way
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** @returns false where the folder above is missing @throws what else is in the way */
function made(path: string): boolean {
  try {
    mkdirSync(path, folderMode)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' && path !== dirname(path)) return false
    // Another process was faster.
    if (code === 'EEXIST' && isFolder(path)) return true
    throw error
  }
  chmodSync(path, folderMode)
  return true
}

/**
 * Makes an empty file where there is none: SQLite would make it for everybody, and gives the files beside a database
 * the mode of the database. One that exists is not even opened: closing it would give back its POSIX locks.
 */
export function makePrivateFile(path: string): void {
  try {
    const file = openSync(path, 'wx', fileMode)
    fchmodSync(file, fileMode)
    closeSync(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** @returns what to do about a folder or a file that others can read; `null` when there is nothing to do */
export function exposureOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  if (process.platform === 'win32' || found === undefined || (found.mode & modeOfOthers) === 0) return null
  const mode = found.isDirectory() ? folderMode : fileMode
  return `Other users of this machine can read ${path}: run chmod ${mode.toString(8)} ${path}.`
}
