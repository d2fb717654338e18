/** Creates the object that the contexts of all requests and jobs share. */

import type { Shared } from '../core/context.ts'
import type { Feature } from '../core/feature/feature.ts'
import { CostLimiter, defaultCostPolicies } from '../core/limits/cost-limiter.ts'
import { defaultReplyMemory, ReplyMemory } from '../core/limits/reply-memory.ts'
import type { Feeds } from '../core/live/feeds.ts'
import { FailureLog } from '../core/log/failure-log.ts'
import { throttleNames } from '../core/log/log-throttle.ts'
import type { QueueWorkers } from '../core/queue/workers.ts'
import type { Config } from '../core/settings/config.ts'
import { defaultChangePropagationMs } from '../core/tenant/directory.ts'
import type { CachedTenantSettings } from '../core/tenant/settings/cache.ts'
import { Argon2Passwords, defaultPasswordCost } from '../identity/password/argon2.ts'
import { queuedJobsOf } from '../jobs/schedule/declared.ts'
import type { OwnDatabases } from '../tenancy/databases.ts'
import type { declarationsOf } from './declarations.ts'
import type { IndependentParts } from './independent-parts.ts'
import type { LoggedOptions } from './service-options.ts'

interface SharedParts extends IndependentParts {
  declarations: Omit<ReturnType<typeof declarationsOf>, 'frames'>
  features: readonly Feature[]
  migrations: Shared['migrations']
  tenantDatabases: OwnDatabases
  tenantSettings: CachedTenantSettings
  /** These two are created after the shared object, which they use. */
  queueWorkers: () => QueueWorkers
  feeds: () => Feeds
}

export function createShared(config: Config, options: LoggedOptions, parts: SharedParts): Shared {
  const { clock, declarations, log, pendingTenants, queueWorkers } = parts
  const replyBounds = { ...defaultReplyMemory(config.graphqlMaxBytes), ...options.replyMemory }
  return {
    ...declarations,
    baseUrl: config.baseUrl,
    breachedPasswords: parts.ranges,
    callers: parts.callers,
    catalogueDatabase: parts.database,
    changePropagationMs: options.changePropagationMs ?? defaultChangePropagationMs,
    clock,
    costLimiter: new CostLimiter({ ...defaultCostPolicies, ...options.costPolicies }),
    failures: new FailureLog(log),
    files: parts.files,
    jobs: queuedJobsOf(parts.features),
    log,
    mails: { declared: declarations.mails, ...parts.mail.settings },
    markPendingTenant: (tenantId) => pendingTenants.touch(tenantId),
    migrations: parts.migrations,
    noteDue: (tenantId, where, due) => queueWorkers().note(tenantId, where, due),
    owners: parts.owners,
    passwords: new Argon2Passwords(options.passwordCost ?? defaultPasswordCost, parts.hashQueue),
    replyMemory: new ReplyMemory(replyBounds, parts.limitMonitor),
    secretBox: parts.secretBox,
    sessionMaxMs: config.sessionMaxDays * 24 * 60 * 60 * 1000,
    tenantDatabases: parts.tenantDatabases,
    tenantSettings: parts.tenantSettings,
    tenantUsage: parts.requestFigures.byTenant,
    unknownNames: throttleNames(clock),
    users: parts.users,
    wakeQueues: (tenantId, where, scan) => queueWorkers().wake(tenantId, where, scan),
    wakeSubscribers: (tenantId) => parts.feeds().wake(tenantId),
  }
}
