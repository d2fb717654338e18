/** Counts deliveries that failed for good in all tenants, by subscription, and sends them again. */
import type { AuditAction } from '../../core/audit/action.ts'
import type { Context } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import { invalidField } from '../../core/errors.ts'
import type { Database } from '../../database/executor.ts'
import {
  countDeadLetters,
  type DeadLettersOfSubscription,
  tenantsWithDeadLetters,
} from '../../webhooks/outgoing/dead-letter/count.ts'
import { replayDeadLettersOf } from '../../webhooks/outgoing/dead-letter/replay.ts'
import type { QueueStatistics } from '../../webhooks/outgoing/metrics/statistics.ts'
import { retryByTenant } from './by-tenant.ts'
import { DeadGroups, deadKey, maxGroups } from './groups.ts'
import { beginRetry, type Retried, type RetryRequest } from './retry-run.ts'

const requested: AuditAction = 'deadLetters.replayRequested'

export interface DeadLetterParts {
  /** The database of the catalogue. */
  database: Database
  clock: () => Date
  /** Has the last counts in tenants' own databases. */
  statistics: QueueStatistics
}

export function deadLetters({ database, clock, statistics }: DeadLetterParts) {
  return new DeadGroups<DeadLettersOfSubscription>({
    clock,
    count: () => countDeadLetters(database, maxGroups),
    own: () => ownLetters(statistics),
    key: deadKey({ count: 'deliveries', name: 'subscriptionId' }),
  })
}

function* ownLetters(statistics: QueueStatistics) {
  for (const [id, { deadLetters: groups }] of statistics.ofOwnDatabases()) yield [id, groups] as const
}

/**
 * @param request whose `group` is the id of a subscription
 * @throws ServiceError like `beginRetry`; `invalid` for a subscription without its tenant
 */
export async function replayDeadLetters(
  context: Context,
  letters: DeadGroups<DeadLettersOfSubscription>,
  request: RetryRequest,
): Promise<Retried> {
  const { tenantId, group: subscriptionId } = request
  if (subscriptionId !== undefined && tenantId === undefined)
    throw invalidField('tenantId', 'is required with subscriptionId', 'required')
  const run = await beginRetry(context, request, { action: requested, detail: defined({ subscriptionId }) })
  return retryByTenant(context, run, {
    groups: letters,
    group: subscriptionId,
    tenantsWith: tenantsWithDeadLetters,
    retry: replayDeadLettersOf,
  })
}
