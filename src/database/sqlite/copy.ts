/** Copies a SQLite file, as it is at one moment while others write, and reads the contents of a file. */
import { makePrivateFile } from '../private-file.ts'
import { isDamage, translate } from './failure.ts'
import { type TaskReply, TaskThread } from './task-thread.ts'

export interface FileContents {
  /** The number of rows of each table. */
  rows: Record<string, number>
  /** The names of the applied migrations. */
  migrations: string[]
}

interface Task {
  path: string
  /** `null`: inspects the file without a copy. */
  to: string | null
}

interface Failure {
  message: string
  /** SQLite has found a fault in the file. */
  isFault: boolean
  /** Codes of SQLite and of the system. */
  detail: object
}

export type CopyRequest = Task & { id: number }
export type CopyReply = TaskReply<Failure>

/** SQLite finds faults in the file, or it is not a database of the service. */
export class DamagedFile extends Error {
  constructor(path: string, fault: string) {
    super(`The database file ${path} is damaged: ${fault}`)
  }
}

/** The heap holds names only; SQLite's pages are outside of it. */
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }

class CopyFailed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

const thread = new TaskThread<Task, Failure>('copy-worker', resourceLimits, (found) => new CopyFailed(found))

/**
 * @param to a path without a file
 * @returns the contents of the copy, which is checked @throws DatabaseUnavailable, DamagedFile
 */
export async function copySqlite(from: string, to: string): Promise<FileContents> {
  makePrivateFile(to)
  return run({ path: from, to }, from)
}

/**
 * Reads all of a file, which may be open.
 * @param shown the name of the file in errors @throws DamagedFile, DatabaseUnavailable
 */
export function inspectSqlite(path: string, shown = path): Promise<FileContents> {
  return run({ path, to: null }, shown)
}

async function run(task: Task, shown: string): Promise<FileContents> {
  try {
    return (await thread.run(task)) as FileContents // the worker's result
  } catch (error) {
    if (!(error instanceof CopyFailed)) throw error
    const { isFault, message, detail } = error.failure
    const cause = Object.assign(new Error(message), detail)
    throw isFault || isDamage(cause) ? new DamagedFile(shown, message) : translate(cause)
  }
}
