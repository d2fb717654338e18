import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { counter, gauge, type Metric } from '../../core/metric.ts'
import type { HashQueue } from '../password/hash-queue.ts'
import type { RangeService } from '../password/range-service.ts'
import type { SignInBackoff } from '../session/backoff.ts'
import { userColumns } from './columns.ts'
import { userEvents } from './event.ts'
import { userGraphQL } from './graphql.ts'
import { userHome } from './home.ts'
import { userMails } from './mail.ts'
import { userMigrations } from './migration.ts'
import { ownPasswordRoute, userRoutes } from './rest.ts'

export const userAudit = {
  'user.created': 'A user was created',
  'user.updated': 'A user was changed by an administrator',
  'user.deleted': 'A user was deleted',
  'user.passwordChanged': 'A user changed its own password',
  'user.passwordRefused': 'A user tried to change its own password with a wrong current one',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof userAudit, string> {}
}

export function userFeature(backoff: SignInBackoff, hashQueue: HashQueue, ranges: RangeService): Feature {
  return {
    name: 'user',
    permissions: {
      'user:read': { description: 'See users', role: 'Admin' },
      'user:write': { description: 'Create, change and delete users', role: 'Admin' },
    },
    audited: userAudit,
    columns: userColumns,
    migrations: userMigrations,
    routes: [...userRoutes, ownPasswordRoute(backoff)],
    home: userHome, // steps on the home page of the console
    events: userEvents,
    graphql: userGraphQL,
    mails: userMails,
    metrics: [...hashingMetrics(hashQueue), rangeMetric(ranges)],
  }
}

function rangeMetric(ranges: RangeService): Metric {
  return {
    name: 'password_range_checks_total',
    help: 'New passwords sent to PASSWORD_RANGE_URL by outcome: breached (400), unknown, or failed, which accepts them',
    kind: 'counter',
    labels: ['outcome'],
    read: () => ranges.outcomes(),
  }
}

function hashingMetrics(queue: HashQueue): Metric[] {
  return [
    gauge('password_hash_queue_depth', 'Requests that wait for a password to be hashed', () => queue.depth),
    counter(
      'password_hash_wait_seconds_total',
      'Total time that password hashes have waited before they were computed',
      () => queue.waitedSeconds,
    ),
    {
      name: 'password_hashes_total',
      help: 'Password hashes by outcome: computed, refused (503), or abandoned with the request of its client',
      kind: 'counter',
      labels: ['outcome'],
      read: () => queue.outcomes(),
    },
  ]
}
