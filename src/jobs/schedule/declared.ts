import type { Feature } from '../../core/feature/feature.ts'
import { Jobs } from '../../core/feature/job.ts'
import type { Schedule } from '../../core/feature/schedule.ts'

export function schedulesOf(features: readonly Feature[]): Schedule[] {
  return features.flatMap(({ schedules }) => schedules ?? [])
}

/** The queued jobs of the features, with those that their schedules declare. @throws Error for a name that two have */
export function queuedJobsOf(features: readonly Feature[]): Jobs {
  const own = schedulesOf(features).filter(({ isOwnJob }) => isOwnJob)
  return new Jobs([...features.flatMap(({ jobs }) => jobs ?? []), ...own.map(({ job }) => job)])
}
