/** A copy of a SQLite file that others are writing to, as it was at one moment; and what a file has in it. */
import { makePrivateFile } from '../private-file.ts'
import { isDamage, translate } from './failure.ts'
import { type TaskReply, TaskThread } from './task-thread.ts'

export interface FileContents {
  /** How many are in each table. */
  rows: Record<string, number>
  /** The names of the migrations that were applied. */
  migrations: string[]
}

interface Task {
  path: string
  /** `null`: the file is inspected where it is. */
  to: string | null
}

interface Failure {
  message: string
  /** SQLite reads it, and finds something wrong in it. */
  isFault: boolean
  /** Codes of SQLite and of the system. */
  detail: object
}

export type CopyRequest = Task & { id: number }
export type CopyReply = TaskReply<Failure>

/** SQLite finds faults in it, or it is not what it should be. */
export class DamagedFile extends Error {
  constructor(path: string, fault: string) {
    super(`The database file ${path} is damaged: ${fault}`)
  }
}

/** It holds names of tables and migrations, and SQLite's pages beside its heap. */
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
 * @param to there is no file yet
 * @returns what is in the copy, which is checked @throws DatabaseUnavailable, DamagedFile
 */
export async function copySqlite(from: string, to: string): Promise<FileContents> {
  makePrivateFile(to)
  return run({ path: from, to }, from)
}

/**
 * Reads all of a file that nobody has open.
 * @param shown what an error calls it @throws DamagedFile, DatabaseUnavailable
 */
export function inspectSqlite(path: string, shown = path): Promise<FileContents> {
  return run({ path, to: null }, shown)
}

async function run(task: Task, shown: string): Promise<FileContents> {
  try {
    return (await thread.run(task)) as FileContents // that is what the thread gives
  } catch (error) {
    if (!(error instanceof CopyFailed)) throw error
    const { isFault, message, detail } = error.failure
    const cause = Object.assign(new Error(message), detail)
    throw isFault || isDamage(cause) ? new DamagedFile(shown, message) : translate(cause)
  }
}
