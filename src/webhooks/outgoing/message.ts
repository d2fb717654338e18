/** What is sent: a body that is the same on every attempt, and the headers of one attempt. */
import { version } from '../../core/version.ts'
import { signatureHeaders } from './sign.ts'

export interface Message {
  id: string
  type: string
  /** ISO 8601, when it was published. */
  createdAt: string
  tenantId: string
  /** JSON text, as it is stored. */
  data: string
}

/** Made of stored text alone, so that neither a restart nor another instance changes a byte. */
export function messageBody({ id, type, createdAt, tenantId, data }: Message): string {
  const members = { id, type, timestamp: createdAt, tenantId }
  return `${JSON.stringify(members).slice(0, -1)},"data":${data}}`
}

/** On deliveries that an incoming webhook has led to: how many of them in a row. */
export const hopsHeader = 'X-Tenantry-Hops'
/** Beside it: the event or the receipt that the chain has begun with. */
export const originHeader = 'X-Tenantry-Origin'

/** The service's own headers of one attempt; the subscriber's go beside them. */
export function messageHeaders(
  message: { id: string; hops?: number; origin?: string | null },
  body: string,
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': `Tenantry/${version}`,
    ...(message.hops && { [hopsHeader]: `${message.hops}` }),
    ...(message.hops && message.origin && { [originHeader]: message.origin }),
    ...signatureHeaders(message, Math.floor(at.getTime() / 1000), body, secrets),
  }
}
