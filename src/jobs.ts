import type { Context } from './context.ts'
import type { Job } from './feature.ts'

/**
 * Runs each job at its interval, never two runs of one job at a time.
 * @returns a function that starts no more of them and waits for those that run
 */
export function startJobs(jobs: readonly Job[], context: Context): () => Promise<void> {
  const running = new Set<Promise<void>>()
  const timers = jobs.map((job) => {
    let busy = false
    const tick = async (): Promise<void> => {
      if (busy) return
      busy = true
      await runJob(job, context)
      busy = false
    }
    return setInterval(() => {
      const run = tick().finally(() => running.delete(run))
      running.add(run)
    }, job.everyMs).unref()
  })
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(running)
  }
}

/** A job that fails is tried again at its next turn. */
async function runJob(job: Job, context: Context): Promise<void> {
  try {
    await job.run(context)
  } catch (error) {
    context.shared.log.warn({ err: error, job: job.name }, 'job failed')
  }
}
