/**
 * Keys of the queue of deliveries. Each subscription has three: one for first attempts, one for retries, one for tests.
 * A key is one text, so that the database walks from key to key by an index.
 */
export interface QueueKey {
  tenantId: string
  subscriptionId: string
  kind: 'first' | 'retry' | 'test'
}

/** Identifies a subscription among all tenants. */
export function subscriptionKey(tenantId: string, subscriptionId: string): string {
  return `${tenantId}/${subscriptionId}`
}

/** No part can hold the separator. */
export function formatQueueKey({ tenantId, subscriptionId, kind }: QueueKey): string {
  return `${tenantId}/${subscriptionId}/${kind}`
}

export function parseQueueKey(text: string): QueueKey {
  const [tenantId = '', subscriptionId = '', kind = 'first'] = text.split('/')
  return { tenantId, subscriptionId, kind: kind as QueueKey['kind'] } // written by `formatQueueKey`
}

/** @returns two texts: all keys of the tenant, or of one of its subscriptions, are between them */
export function queueKeyRange(tenantId: string, subscriptionId?: string): { from: string; to: string } {
  const prefix = subscriptionId === undefined ? tenantId : `${tenantId}/${subscriptionId}`
  return { from: `${prefix}/`, to: `${prefix}0` } // the character after the slash
}
