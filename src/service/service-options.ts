/** What may be given to a service beside its configuration. */
import type { Logger } from 'pino'
import type { Feature } from '../core/feature/feature.ts'
import type { BodyMemoryBounds } from '../core/limits/body-memory.ts'
import type { SubscriptionLimits, WebSocketLimits } from '../core/limits/client-limits.ts'
import type { CostPolicies } from '../core/limits/cost-limiter.ts'
import type { ReplyMemoryBounds } from '../core/limits/reply-memory.ts'
import type { PasswordCost } from '../identity/password/argon2.ts'
import type { HashLimits } from '../identity/password/hash-queue.ts'
import type { DeliveryLimits } from '../webhooks/outgoing/queue/limiter.ts'
import type { ReceiverOptions } from '../webhooks/outgoing/send/address-guard.ts'

/** Whoever puts parts together says where they log: there is one form of a line. */
export type LoggedOptions = ServiceOptions & { log: Logger }

export interface ServiceOptions {
  /** Your own features, beside the built-in ones. */
  features?: readonly Feature[]
  /** The present moment; tests bring their own. */
  clock?: () => Date
  log?: Logger
  /** What a hash of a password takes, where that is not the usual: tests have much to do and nothing to guard. */
  passwordCost?: PasswordCost
  /** How many passwords are hashed at once, and how many wait, where that is not the usual. */
  hashLimits?: Partial<HashLimits>
  /** How receivers of webhooks are found and trusted, where that is not the usual way. */
  receivers?: ReceiverOptions
  /** What callers may spend on costly reads, where that is not the usual. */
  costPolicies?: Partial<CostPolicies>
  /** What replies may hold in memory until they are read, where that is not the usual. */
  replyMemory?: Partial<ReplyMemoryBounds>
  /** What request bodies may hold until they are complete, where that is not the usual. */
  bodyMemory?: Partial<BodyMemoryBounds>
  /** How much may be sent at once, where that is not the usual. */
  deliveryLimits?: Partial<DeliveryLimits>
  /** How long a stop waits for deliveries that are being sent. */
  deliveryStopWithinMs?: number
  /** Bounds on WebSockets, where they are not the usual. */
  webSocketLimits?: Partial<WebSocketLimits>
  /** Bounds on GraphQL subscriptions, where they are not the usual. */
  subscriptionLimits?: Partial<SubscriptionLimits>
  /** What may wait for all slow clients of WebSockets and subscriptions together, where that is not the usual. */
  maxBufferedBytes?: number
  /** When a client is cut that takes little of what is sent to it, where that is not the usual. */
  stalledMs?: number
  /** How often subscriptions look for events that they were not told of, where that is not the usual. */
  subscriptionSweepMs?: number
  /** How long a stop waits for the next request on connections that were in use, where that is not the usual. */
  lingerMs?: number
  /** How often a word is sent to a client that nothing comes to, where that is not the usual. */
  keepAliveMs?: number
  /** How long those who ask for the figures get the same text, where that is not the usual. */
  metricsMaxAgeMs?: number
}
