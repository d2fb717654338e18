/** Counts dead letters, which are deliveries whose last attempt failed, by subscription. */
import { tenantsWith } from '../../../database/count-apart.ts'
import { QueueData, type TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { countDead, countDeadOf, type DeadGroup, isDead } from './sql.ts'

export interface DeadLettersOfSubscription {
  tenantId: string
  subscriptionId: string
  /** The host of the address of the subscription. The rest of the address may contain a secret. */
  receiver: string
  /** Whether the subscription is active. Otherwise recovered deliveries wait until it is. */
  isActive: boolean
  deliveries: number
}

/**
 * @param subscriptions how many to return: those with the most dead letters
 * @throws StatementTimedOut, DatabaseUnavailable
 */
export async function countDeadLetters(
  database: Database,
  subscriptions: number,
): Promise<DeadLettersOfSubscription[]> {
  const groups = await countDead(new QueueData(database.executor, database), subscriptions)
  return groups.map((group) => describe(group, group.tenant_id))
}

/** Counts the dead deliveries of one tenant. @throws StatementTimedOut, DatabaseUnavailable */
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
