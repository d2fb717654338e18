/** Creates the workers of the queues, and the GraphQL gateway with its live feeds. */
import { defaultLimits as defaultGraphQLLimits } from '../api/graphql/document/limits.ts'
import { Gateway } from '../api/graphql/gateway.ts'
import { OperationLimits } from '../api/graphql/operation-limits.ts'
import type { Limiters } from '../api/http/rate-limit/limiter.ts'
import type { Shared } from '../core/context.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { BufferBudget } from '../core/limits/buffer-budget.ts'
import { defaultSubscriptionLimits } from '../core/limits/client-limits.ts'
import type { LimitMonitor } from '../core/limits/limit-monitor.ts'
import { Feeds } from '../core/live/feeds.ts'
import type { AddressGuard } from '../core/outgoing/address-guard.ts'
import { LeasedQueues } from '../core/queue/leased-queue.ts'
import type { PendingTenants } from '../core/queue/pending-tenants.ts'
import { ServedTenants } from '../core/queue/served-tenants.ts'
import { QueueWorkers } from '../core/queue/workers.ts'
import type { Config } from '../core/settings/config.ts'
import type { TenantDirectory } from '../core/tenant/directory.ts'
import { JobRuns } from '../jobs/queue/job-queue.ts'
import { defaultJobLimits } from '../jobs/queue/limiter.ts'
import type { MailLimits } from '../mail/queue/limiter.ts'
import { MailRuns } from '../mail/queue/mail-queue.ts'
import type { MailTransport } from '../mail/transport/transport.ts'
import { ActionRuns } from '../webhooks/incoming/queue/action-queue.ts'
import { Deliveries } from '../webhooks/outgoing/deliveries.ts'
import { EventRelay } from '../webhooks/outgoing/outbox/relay.ts'
import { defaultDeliveryLimits } from '../webhooks/outgoing/queue/limiter.ts'
import type { ServiceOptions } from './service-options.ts'

type QueueParts = {
  shared: Shared
  pendingTenants: PendingTenants
  guard: AddressGuard
  directory: TenantDirectory
  mail: { transport: MailTransport | null; limits: MailLimits }
}

export interface Queues {
  deliveries: Deliveries
  jobs: JobRuns
  /** `null` without a mail server. */
  mails: MailRuns | null
  workers: QueueWorkers
}

export function createQueueWorkers(
  config: Config,
  options: ServiceOptions,
  { shared, pendingTenants, guard, directory, mail }: QueueParts,
): Queues {
  const tenants = new ServedTenants(shared, directory)
  const { mailFrom: from, mailRetrySeconds, webhookRetrySeconds: retrySeconds } = config
  const deliveries = new Deliveries({
    shared,
    tenants,
    guard,
    retrySeconds,
    deadlineMs: config.webhookTimeoutMs,
    limits: { ...defaultDeliveryLimits, ...options.deliveryLimits },
  })
  const jobs = new JobRuns({
    shared,
    tenants,
    retrySeconds,
    limits: { ...defaultJobLimits, ...options.jobLimits },
  })
  const { transport, limits } = mail
  const mails =
    transport === null
      ? null
      : new MailRuns({ shared, tenants, transport, limits, from, retrySeconds: mailRetrySeconds })
  const workers = new QueueWorkers({
    shared,
    tenants,
    pendingTenants,
    kinds: [
      new LeasedQueues(deliveries, shared, tenants),
      new ActionRuns({ shared, tenants, retrySeconds }),
      new LeasedQueues(jobs, shared, tenants),
      ...(mails === null ? [] : [new LeasedQueues(mails, shared, tenants)]),
    ],
    relay: new EventRelay(shared, pendingTenants),
    maxStopMs: options.deliveryStopWithinMs ?? 10_000,
  })
  return { deliveries, jobs, mails, workers }
}

type LiveParts = {
  shared: Shared
  buffers: BufferBudget
  limitMonitor: LimitMonitor
  limiters: Limiters
  features: readonly Feature[]
  feeds: Feeds
}

export function createFeeds(
  { subscriptionSweepMs: sweepMs }: ServiceOptions,
  { shared, buffers, limitMonitor: monitor }: Pick<LiveParts, 'shared' | 'buffers' | 'limitMonitor'>,
): Feeds {
  return new Feeds(shared, { monitor, buffers, ...(sweepMs !== undefined && { sweepMs }) })
}

export function createGateway(config: Config, options: ServiceOptions, parts: LiveParts): Gateway {
  const { features, shared, feeds, limiters, limitMonitor: monitor } = parts
  const { graphqlMaxCost: cost, graphqlMaxRows: rows, graphqlMaxBytes: bytes } = config
  const { graphqlIntrospection: introspection, graphqlOperations: operations } = config
  const { graphqlOperationsOnly: operationsOnly } = config
  return new Gateway(
    features.map((feature) => feature.graphql ?? {}),
    {
      shared,
      introspection,
      operations,
      operationsOnly,
      limits: { ...defaultGraphQLLimits, cost, rows, bytes },
      rateLimits: config.rateLimits.length === 0 ? null : new OperationLimits(limiters),
      feeds,
      monitor,
      subscriptionLimits: { ...defaultSubscriptionLimits, ...options.subscriptionLimits },
    },
  )
}
