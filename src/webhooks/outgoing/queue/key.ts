/**
 * The keys of the delivery queue. Each subscription has three: for first attempts, for retries and for tests. A key is
 * one text, so that the database can go from key to key by an index.
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

/** Joins the parts by a slash, which no part can contain. */
export function formatQueueKey({ tenantId, subscriptionId, kind }: QueueKey): string {
  return `${tenantId}/${subscriptionId}/${kind}`
}

export function parseQueueKey(text: string): QueueKey {
  const [tenantId = '', subscriptionId = '', kind = 'first'] = text.split('/')
  return { tenantId, subscriptionId, kind: kind as QueueKey['kind'] } // written by `formatQueueKey`
}

/** @returns exclusive bounds of the keys of the tenant, or of one of its subscriptions */
export function queueKeyRange(tenantId: string, subscriptionId?: string): { from: string; to: string } {
  const prefix = subscriptionId === undefined ? tenantId : `${tenantId}/${subscriptionId}`
  return { from: `${prefix}/`, to: `${prefix}0` } // the character after the slash
}
