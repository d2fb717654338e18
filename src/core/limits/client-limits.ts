/** Limits on WebSockets, GraphQL subscriptions and streams of followed lists. */

export interface WebSocketLimits {
  /** The maximum on this instance. */
  total: number
  /** The maximum for one user. */
  user: number
  /** The maximum for one address without a user. */
  anonymous: number
  /** The time after which a WebSocket without a user and without an operation is closed. */
  anonymousIdleMs: number
}

/** @param connections the maximum of all connections, of which a quarter is reserved for plain requests */
export function defaultWebSocketLimits(connections: number): WebSocketLimits {
  const total = Math.max(1, Math.floor((connections * 3) / 4))
  return { total, user: 100, anonymous: 20, anonymousIdleMs: 30_000 }
}

export interface SubscriptionLimits {
  /** The maximum on this instance. The cost of an event grows with these limits. */
  total: number
  tenant: number
  /** The maximum for one user, or for one address without a user. */
  user: number
  /** The maximum of different selections that are rendered for each event of one tenant. */
  tenantSelections: number
  /** The maximum of different selections of one user. */
  userSelections: number
}

/** Limits on streams of followed lists. */
export interface LiveLimits {
  /** The maximum of streams on this instance. */
  streams: number
  /** The maximum of lists in all streams of this instance. */
  lists: number
  /** The maximum of streams that one user may have in a tenant. */
  userStreams: number
  /**
   * The maximum of lists of one tenant that no value in their filter indexes: each change is compared with all of
   * them.
   */
  tenantUnindexed: number
}

export const defaultLiveLimits: LiveLimits = {
  streams: 1000,
  lists: 10_000,
  userStreams: 10,
  tenantUnindexed: 200,
}

export const defaultSubscriptionLimits: SubscriptionLimits = {
  total: 10_000,
  tenant: 1000,
  user: 100,
  tenantSelections: 100,
  userSelections: 20,
}
