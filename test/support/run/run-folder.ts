/** The folder that the tests of one run share: their databases and other temporary files. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory (Linux): a run creates and removes thousands of databases. */
const memory = '/dev/shm'
const neededBytes = 4 * 2 ** 30

/**
 * The folder goes with this process at the latest, however that ends.
 * @param inMemory where there is room, and `TMPDIR` names no other place
 */
export function makeRunFolder(inMemory: boolean): string {
  const parent = inMemory && process.env['TMPDIR'] === undefined && hasRoom(memory) ? memory : tmpdir()
  const folder = mkdtempSync(join(parent, 'tenantry-run-'))
  chmodSync(folder, 0o1777) // as folders for temporary files are: PostgreSQL runs as another user
  removeAtEnd(folder)
  return folder
}

/** Other processes may still write to it. */
const removeWhenInputEnds = `
  cat >/dev/null
  for try in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$1" && break; sleep 1; done
`

/** The input of the shell ends with this process. Detached: a Ctrl-C is for this process, whose end the shell notices. */
function removeAtEnd(folder: string): void {
  const shell = spawn('sh', ['-c', removeWhenInputEnds, 'sh', folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  if (shell.stdin instanceof Socket) shell.stdin.unref()
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= neededBytes
}
