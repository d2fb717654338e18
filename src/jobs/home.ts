/** What the home page of the console says of jobs: failed ones need attention. */
import type { HomePart } from '../core/feature/browsed.ts'
import { comparing } from '../database/read/conditions.ts'
import { jobs } from './readable.ts'

export const jobHome: HomePart = {
  needs: [
    {
      kind: 'failedJobs',
      access: 'job:read',
      count: (context, bounds) =>
        jobs.countUpTo(context, comparing(jobs.model, 'status', 'eq', 'DEAD'), bounds),
    },
  ],
}
