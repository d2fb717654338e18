/** Creates all features of a service: the built-in ones, and those of the application. */
import type { Feature } from '../core/feature/feature.ts'
import type { PendingTenants } from '../core/queue/pending-tenants.ts'
import type { Config } from '../core/settings/config.ts'
import { CachedTenantSettings } from '../core/tenant/settings/cache.ts'
import { DeclaredSettings } from '../core/tenant/settings/declared.ts'
import type { Database } from '../database/executor.ts'
import { jobFeature } from '../jobs/feature.ts'
import { OwnDeadJobs } from '../jobs/metrics/dead/count.ts'
import { mailFeature } from '../mail/feature.ts'
import { tenantSettingFeature } from '../tenancy/settings/feature.ts'
import { incomingFeature } from '../webhooks/incoming/feature.ts'
import { deliveryFeature } from '../webhooks/outgoing/feature.ts'
import { QueueStatistics } from '../webhooks/outgoing/metrics/statistics.ts'
import { requireOwnNames } from './built-in-names.ts'
import { sinceFirstRelease } from './declared-migrations.ts'
import { requirePatterns } from './declared-patterns.ts'
import { builtInFeatures } from './features.ts'
import type { IndependentParts } from './independent-parts.ts'
import type { ServiceOptions } from './service-options.ts'
import type { Queues } from './workers.ts'

interface FeatureSources extends IndependentParts {
  /** Returns the queues, which are created after the features. */
  queues: () => Queues
}

/** @throws ConfigError, ApplicationError */
export function createFeatures(
  config: Config,
  options: ServiceOptions,
  { queues: sources, ...parts }: FeatureSources,
) {
  const { clock, database: catalogue, pendingTenants } = parts
  const own = options.features ?? []
  const builtIn = builtInFeatures({
    ...parts,
    ...queuedFeatures(config, own, { sources, catalogue, clock, pendingTenants }),
    config,
    defaultRoles: options.defaultRoles ?? {},
    own,
    without: options.without,
  })
  return withTenantSettings(builtIn, options)
}

interface QueueFeatureParts {
  sources: () => Queues
  catalogue: Database
  clock: () => Date
  pendingTenants: PendingTenants
}

function queuedFeatures(config: Config, features: readonly Feature[], parts: QueueFeatureParts) {
  const { webhookRetentionDays: retentionDays, webhookBodyLimitBytes: bodyLimitBytes } = config
  const { webhookRetrySeconds: retrySeconds } = config
  const statistics = new QueueStatistics(parts.catalogue, parts.clock)
  return {
    statistics,
    ownDeadJobs: new OwnDeadJobs(),
    delivery: deliveryFeature({ ...parts, retentionDays, statistics }),
    incoming: incomingFeature({ bodyLimitBytes, retrySeconds, retentionDays, baseUrl: config.baseUrl }),
    jobs: jobFeature({ ...parts, features, config }),
    mails: mailFeature({ ...parts, config }),
  }
}

/** Adds the feature of the settings that all features declare. @throws ConfigError, ApplicationError */
function withTenantSettings(builtIn: readonly Feature[], options: ServiceOptions) {
  requireOwnNames(options)
  const own = options.features ?? []
  const declared = new DeclaredSettings([...builtIn, ...own].map((feature) => feature.tenantSettings ?? {}))
  const features = [...[...builtIn, tenantSettingFeature(declared)].map(sinceFirstRelease), ...own]
  requirePatterns(features)
  return { features, tenantSettings: new CachedTenantSettings(declared) }
}
