/** Bounds on what clients hold open. */
export interface WebSocketLimits {
  /** All on this instance. */
  total: number
  /** Of one user. */
  user: number
  /** Of one address, by nobody in particular. */
  anonymous: number
  /** One of nobody in particular, on which nothing runs, is closed after so long. */
  anonymousIdleMs: number
}

/** @param connections of all kinds: a quarter is left to plain requests */
export function defaultWebSocketLimits(connections: number): WebSocketLimits {
  const total = Math.max(1, Math.floor((connections * 3) / 4))
  return { total, user: 100, anonymous: 20, anonymousIdleMs: 30_000 }
}

export interface SubscriptionLimits {
  /** All on this instance. What one event costs grows with these bounds. */
  total: number
  tenant: number
  /** Of one user; of one address where nobody is signed in. */
  user: number
  /** Different selections that are rendered for each event of one tenant. */
  tenantSelections: number
  /** Those of one user. */
  userSelections: number
}

export const defaultSubscriptionLimits: SubscriptionLimits = {
  total: 10_000,
  tenant: 1000,
  user: 100,
  tenantSelections: 100,
  userSelections: 20,
}
