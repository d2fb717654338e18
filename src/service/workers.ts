/** Creates the workers of all queues: webhook deliveries, actions of incoming webhooks, jobs and mails. */
import type { Shared } from '../core/context.ts'
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
