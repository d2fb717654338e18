/** How often our own events have come back to us, so that a circle of webhooks ends. */
import { hopsHeader } from '../../delivery/message.ts'
import { type Headers, readHeader } from '../signature/message.ts'

/** Longer chains than this are circles. */
export const mostHops = 5

export function readHops(headers: Headers): number {
  const text = readHeader({ headers }, hopsHeader.toLowerCase()) ?? '0'
  return /^\d{1,3}$/.test(text) ? Number(text) : mostHops
}
