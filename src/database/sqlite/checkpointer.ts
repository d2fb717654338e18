/** Runs tasks on the write-ahead logs of SQLite on one thread, so that the main thread does not wait for disks. */
import { DatabaseUnavailable } from '../executor.ts'
import { type TaskReply, TaskThread } from './task-thread.ts'

interface Task {
  task: 'copy' | 'restart' | 'rewrite' | 'version' | 'release'
  path: string
  /** The descriptor of its write-ahead log, open in this process; -1 where the task needs none. */
  descriptor: number
}

export type CheckpointRequest = Task & { id: number }
export type CheckpointReply = TaskReply<string>

/** The limits are small, because the thread keeps a few pages at a time in memory. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }

const thread = new TaskThread<Task, string>(
  'checkpoint-worker',
  resourceLimits,
  (failure) => new DatabaseUnavailable(failure),
)

export const checkpointer = {
  /** @returns the result of the task @throws DatabaseUnavailable */
  run: (task: Task['task'], path: string, descriptor = -1): Promise<unknown> =>
    thread.run({ task, path, descriptor }),
}
