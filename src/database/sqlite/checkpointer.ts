/** Asks the one thread of this process that waits for disks. */
import { DatabaseUnavailable } from '../executor.ts'
import { type TaskReply, TaskThread } from './task-thread.ts'

interface Task {
  task: 'copy' | 'restart' | 'rewrite' | 'version' | 'release'
  /** Of the database. */
  path: string
  /** Of its log, open in this process. */
  descriptor: number
}

export type CheckpointRequest = Task & { id: number }
export type CheckpointReply = TaskReply<string>

/** It holds a few pages at a time. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }

const thread = new TaskThread<Task, string>(
  'checkpoint-worker',
  resourceLimits,
  (failure) => new DatabaseUnavailable(failure),
)

export const checkpointer = {
  /** @returns what the task gives @throws DatabaseUnavailable */
  run: (task: Task['task'], path: string, descriptor = -1): Promise<unknown> =>
    thread.run({ task, path, descriptor }),
}
