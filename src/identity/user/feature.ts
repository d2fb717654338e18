import type { Feature } from '../../core/feature/feature.ts'
import type { HashQueue } from '../password/hash-queue.ts'
import { hashingMetrics } from '../password/metrics.ts'
import type { SignInBackoff } from '../session/backoff.ts'
import { userGraphQL } from './graphql.ts'
import { userMigrations } from './migration.ts'
import { ownPasswordRoute, userRoutes } from './rest.ts'

export function userFeature(backoff: SignInBackoff, hashQueue: HashQueue): Feature {
  return {
    name: 'user',
    migrations: userMigrations,
    routes: [...userRoutes, ownPasswordRoute(backoff)],
    graphql: userGraphQL,
    metrics: hashingMetrics(hashQueue),
  }
}
