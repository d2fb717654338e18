import type { Context } from './context.ts'
import type { Feature } from './feature/feature.ts'
import { type IntervalJob, isAtIntervals } from './feature/job.ts'

/** Runs jobs at intervals, such as the removal of expired rows. */

/** @returns the jobs of the features that run at intervals */
export function intervalJobsOf(features: readonly Feature[]): IntervalJob[] {
  return features.flatMap(({ jobs }) => jobs ?? []).filter(isAtIntervals)
}

/**
 * Runs each job at its interval, never two runs of one job at a time.
 * @returns a function that starts no further run, aborts the runs in progress, and waits for them
 */
export function startJobs(jobs: readonly IntervalJob[], context: Context): () => Promise<void> {
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  const timers = jobs.map((job) => {
    let busy = false
    const tick = async (): Promise<void> => {
      if (busy) return
      busy = true
      await runJob(job, context, stop.signal)
      busy = false
    }
    const start = (): void => {
      const run = tick().finally(() => running.delete(run))
      running.add(run)
    }
    if (job.atStart === true) start()
    return setInterval(start, job.everyMs).unref()
  })
  return async () => {
    for (const timer of timers) clearInterval(timer)
    stop.abort()
    await Promise.all(running)
  }
}

/** A job that fails runs again at its next interval. */
async function runJob(job: IntervalJob, context: Context, signal: AbortSignal): Promise<void> {
  try {
    await job.run(context, signal)
  } catch (error) {
    if (signal.aborted && error === signal.reason) return
    context.shared.log.warn({ err: error, job: job.name }, 'job failed')
  }
}
