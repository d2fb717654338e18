/** How often our own events have come back to us, and what they began with, so that a circle of webhooks ends. */

import { isEventId, isUuid } from '../../../core/id.ts'
import { hopsHeader, originHeader } from '../../outgoing/send/signed-message.ts'
import { type Headers, readHeader } from '../signature/message.ts'

/** Longer chains than this are circles. */
export const mostHops = 5

export function readHops(headers: Headers): number {
  const text = readHeader({ headers }, hopsHeader.toLowerCase()) ?? '0'
  return /^\d{1,3}$/.test(text) ? Number(text) : mostHops
}

/** @returns the first event or receipt of a chain of ours; `null` for what somebody else has begun */
export function readOrigin(headers: Headers): string | null {
  const origin = readHeader({ headers }, originHeader.toLowerCase())
  if (origin !== null && (isEventId(origin) || isUuid(origin))) return origin
  const event = readHeader({ headers }, 'x-webhook-id')
  return event !== null && isEventId(event) ? event : null
}
