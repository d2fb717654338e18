/** Which subscriptions have deliveries that failed for good. */
import { tenantsWith } from '../../../database/count-apart.ts'
import { QueueData, type TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { countDead, countDeadOf, type DeadGroup, isDead } from './sql.ts'

export interface DeadLettersOfSubscription {
  tenantId: string
  subscriptionId: string
  /** The host of its address: the rest of it may hold a secret. */
  receiver: string
  /** Whether the subscription is active. If not, what is sent again waits. */
  isActive: boolean
  deliveries: number
}

/** @returns the subscriptions with the most dead letters @throws StatementTimedOut, DatabaseUnavailable */
export async function countDeadLetters(
  database: Database,
  subscriptions: number,
): Promise<DeadLettersOfSubscription[]> {
  const groups = await countDead(new QueueData(database.executor, database), subscriptions)
  return groups.map((group) => describe(group, group.tenant_id))
}

/** @throws StatementTimedOut, DatabaseUnavailable */
export async function countDeadLettersOf(
  data: TenantData,
  subscriptions: number,
): Promise<DeadLettersOfSubscription[]> {
  const groups = await countDeadOf(data, subscriptions)
  return groups.map((group) => describe(group, data.tenantId))
}

export const tenantsWithDeadLetters = tenantsWith('delivery', isDead)

function describe(group: Omit<DeadGroup, 'tenant_id'>, tenantId: string): DeadLettersOfSubscription {
  const { subscription_id: subscriptionId, url, is_active: isActive, count } = group
  return { tenantId, subscriptionId, receiver: new URL(url).host, isActive, deliveries: Number(count) }
}
