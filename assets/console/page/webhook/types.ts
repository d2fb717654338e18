/** The types of replies of the webhook endpoints. */

export interface Subscription {
  id: string
  url: string
  events: readonly string[]
  customer: string | null
  unknownEvents: readonly string[]
  secret: string
  isActive: boolean
  headers: Readonly<Record<string, string>>
  retrySeconds: readonly number[] | null
  deactivatedAt: string | null
  deactivationReason: string | null
  successCount: number
  failureCount: number
  lastSuccessAt: string | null
  lastFailureAt: string | null
  failingSince: string | null
  createdAt: string
}

export interface Health {
  hours: readonly { hour: string; delivered: number; failed: number }[]
  isComplete: boolean
}

export interface EventType {
  type: string
  summary: string
}

export const deliveryStatuses = ['PENDING', 'SENDING', 'SUCCEEDED', 'DEAD', 'KEPT'] as const

export interface Delivery {
  id: string
  subscriptionId: string
  eventId: string
  eventType: string
  kind: string
  status: (typeof deliveryStatuses)[number]
  attempts: number
  nextAttemptAt: string | null
  createdAt: string
  finishedAt: string | null
  reason: string | null
}

export interface Attempt {
  id: string
  number: number
  startedAt: string
  durationMs: number
  outcome: string
  errorClass: string | null
  status: number | null
  requestHeaders: Readonly<Record<string, string>>
  responseHeaders: Readonly<Record<string, string>>
  responseExcerpt: string
}

export interface DeliveryWithAttempts extends Delivery {
  event: { id: string; type: string; createdAt: string; data: unknown }
  attemptLog: readonly Attempt[]
}

export interface Provider {
  provider: string
  scheme: string
  secret: string
  formerSecretUntil: string | null
  toleranceSeconds: number
  updatedAt: string
}

export interface Rule {
  id: string
  provider: string
  eventType: string
  action: string
  isActive: boolean
  unknownAction: boolean
  createdAt: string
}

export interface DryRun {
  outcome: 'SUCCEEDED' | 'FAILED' | 'FORBIDDEN' | 'UNHANDLED' | 'UNMATCHED'
  isActive: boolean
  values: unknown
  error: string | null
  events: readonly { type: string; data: unknown }[]
}

export const receiptStatuses = [
  'SUCCEEDED',
  'PENDING',
  'DEAD',
  'FORBIDDEN',
  'UNHANDLED',
  'UNMATCHED',
  'LOOPED',
] as const

export interface Receipt {
  id: string
  provider: string
  eventId: string | null
  eventType: string | null
  status: (typeof receiptStatuses)[number]
  hops: number
  receivedAt: string
}

export interface Run {
  id: string
  ruleId: string
  action: string
  status: string
  attempts: number
  error: string | null
  nextAttemptAt: string | null
  startedAt: string
  finishedAt: string | null
}

export interface ReceiptWithRuns extends Receipt {
  headers: Readonly<Record<string, string>>
  body: string
  bodyEncoding: 'utf8' | 'base64'
  verification: { verified: boolean; scheme: string; secret: string }
  runs: readonly Run[]
}
