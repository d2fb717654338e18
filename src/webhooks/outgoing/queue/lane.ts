/**
 * The lines that deliveries wait in: each subscription has one for first attempts, one for retries and one for
 * tests. The name of a line is one text, so that the database walks from line to line by an index.
 */
export type Lane = 'first' | 'retry' | 'test'

export interface Line {
  tenantId: string
  subscriptionId: string
  lane: Lane
}

/** Of one subscription, also beside those of other tenants. */
export function subscriptionKey(tenantId: string, subscriptionId: string): string {
  return `${tenantId}/${subscriptionId}`
}

/** Neither part can hold the separator. */
export function lineName({ tenantId, subscriptionId, lane }: Line): string {
  return `${tenantId}/${subscriptionId}/${lane}`
}

export function parseLine(name: string): Line {
  const [tenantId = '', subscriptionId = '', lane = 'first'] = name.split('/')
  return { tenantId, subscriptionId, lane: lane as Lane } // written by `lineName`
}

/** All lines of a tenant, or of one of its subscriptions, lie between these two texts. */
export function linesOf(tenantId: string, subscriptionId?: string): { from: string; to: string } {
  const whose = subscriptionId === undefined ? tenantId : `${tenantId}/${subscriptionId}`
  return { from: `${whose}/`, to: `${whose}0` } // the character behind the slash
}
