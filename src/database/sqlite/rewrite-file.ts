/**
 * Rewrites a SQLite file without the bytes of deleted rows, after a tenant was erased. This takes minutes for a large
 * file, and runs on a thread of its own, so that requests are served meanwhile.
 */
import { DatabaseBusy } from '../executor.ts'
import { translate } from './failure.ts'
import { type TaskReply, TaskThread } from './task-thread.ts'

interface Task {
  path: string
}

interface Failure {
  message: string
  /** Codes of SQLite and of the system. */
  detail: object
}

export type RewriteRequest = Task & { id: number }
export type RewriteReply = TaskReply<Failure>

/** SQLite's pages are outside of the heap. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }

const thread = new TaskThread<Task, Failure>('rewrite-worker', resourceLimits, ({ message, detail }) =>
  Object.assign(new Error(message), detail),
)

/**
 * Rewrites the file with its present rows only, and empties its journal. Zeroing deleted rows is not enough: pages keep
 * copies of rows that were changed or moved earlier.
 * @throws DatabaseUnavailable; DatabaseBusy also while a reader of an older state keeps the journal
 */
export async function rewriteFile(path: string): Promise<void> {
  const isEmptied = await thread.run({ path }).catch((error: unknown) => {
    throw translate(error)
  })
  if (isEmptied === true) return
  throw new DatabaseBusy(
    `A reader of an older state of ${path}, such as a backup, keeps its journal. Try again when the reader is done.`,
  )
}
