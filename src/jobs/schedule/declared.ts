/** Collects the schedules and the queued jobs that features declare. */
import type { Feature } from '../../core/feature/feature.ts'
import { Jobs } from '../../core/feature/job.ts'
import type { Schedule } from '../../core/feature/schedule.ts'

export function schedulesOf(features: readonly Feature[]): Schedule[] {
  return features.flatMap(({ schedules }) => schedules ?? [])
}

/** @returns the queued jobs of the features and of their schedules @throws Error for a name that two jobs have */
export function queuedJobsOf(features: readonly Feature[]): Jobs {
  const own = schedulesOf(features).filter(({ isOwnJob }) => isOwnJob)
  return new Jobs([...features.flatMap(({ jobs }) => jobs ?? []), ...own.map(({ job }) => job)])
}
