/**
 * A place among the events of a tenant, as clients keep it: the cursor of the feed, with the tenant and the time. A list
 * that is followed from a place of another tenant, or of long ago, is read again instead.
 */
import { hash } from 'node:crypto'
import { LruMap } from '../../database/lru-map.ts'

/** Events are kept for longer than this. */
const maxAgeMs = 12 * 60 * 60 * 1000

export function liveCursor(tenantId: string, feedCursor: string, now: Date): string {
  const place = Buffer.from(feedCursor).toString('base64url')
  return `${now.getTime().toString(36)}.${digestOf(tenantId)}.${place}`
}

/** @returns the cursor of the feed, or why it cannot be continued from there */
export function readLiveCursor(
  text: string,
  tenantId: string,
  now: Date,
): { cursor: string } | { lost: 'unknown' | 'expired' } {
  const [time = '', tenant, place = '', ...others] = text.split('.')
  const atMs = Number.parseInt(time, 36)
  if (others.length > 0 || place === '' || tenant !== digestOf(tenantId) || Number.isNaN(atMs))
    return { lost: 'unknown' }
  const ageMs = now.getTime() - atMs
  if (ageMs > maxAgeMs) return { lost: 'expired' }
  return { cursor: Buffer.from(place, 'base64url').toString() }
}

const digests = new LruMap<string, string>(1000)

function digestOf(tenantId: string): string {
  let digest = digests.get(tenantId)
  if (digest === undefined) {
    digest = hash('sha256', tenantId, 'base64url').slice(0, 8)
    digests.set(tenantId, digest)
  }
  return digest
}
