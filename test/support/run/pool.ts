/** Runs test files in worker processes: a file that breaks its process is named, and the others go on. */

import { type TestEvents, type WorkerOptions, WorkerProcess } from './worker-process.ts'

export interface PoolOptions extends WorkerOptions {
  /** Files that one process takes one after another. */
  units: readonly (readonly string[])[]
  /** Processes at a time. */
  workers: number
  /** Stops at the first failure. */
  bail: boolean
}

/** Resolves when every file has run or was named as one that did not, or when no process starts. */
export async function runPool(options: PoolOptions, events: TestEvents): Promise<void> {
  const queue = [...options.units]
  const running = new Set<WorkerProcess>()
  let isStopped = false
  const failed: TestEvents['failed'] = (...words) => {
    if (isStopped) return
    events.failed(...words)
    isStopped = options.bail
    if (isStopped) for (const each of running) each.kill()
  }
  const serve = async (): Promise<void> => {
    while (queue.length > 0 && !isStopped) {
      const worker = new WorkerProcess(options, queue, { ...events, failed })
      running.add(worker)
      await worker.closed
      running.delete(worker)
      if (!worker.isReady) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.workers, queue.length) }, serve))
}
