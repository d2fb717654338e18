/** Limits on WebSockets and subscriptions. */
export interface WebSocketLimits {
  /** On this instance. */
  total: number
  /** The most that one user may have. */
  user: number
  /** The most that one address may have without a user. */
  anonymous: number
  /** A WebSocket without a user and without an operation is closed after this time. */
  anonymousIdleMs: number
}

/** @param connections of all kinds: a quarter is reserved for plain requests */
export function defaultWebSocketLimits(connections: number): WebSocketLimits {
  const total = Math.max(1, Math.floor((connections * 3) / 4))
  return { total, user: 100, anonymous: 20, anonymousIdleMs: 30_000 }
}

export interface SubscriptionLimits {
  /** On this instance. The cost of an event grows with these limits. */
  total: number
  tenant: number
  /** The most that one user may have, or one address without a user. */
  user: number
  /** Different selections that are rendered for each event of one tenant. */
  tenantSelections: number
  /** Different selections of one user. */
  userSelections: number
}

/** Limits on streams of followed lists. */
export interface LiveLimits {
  /** On this instance. */
  streams: number
  /** In all streams of this instance. */
  lists: number
  /** The most that one user may have in a tenant. */
  userStreams: number
  /** Lists of one tenant whose filters name no value: each change is compared with all of them. */
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
