/** Content negotiation (RFC 9110, section 12.5.1): quality values, `q=0`, wildcards, the most specific range. */
import Negotiator from 'negotiator'
import { LruMap } from '../../../database/lru-map.ts'

/** Clients send few different headers. */
const maxCached = 100
const maxCachedLength = 500
/** A longer header counts as `*`: parsing thousands of ranges would cost more than the reply. */
const maxAcceptLength = 1000
/** Each type is text in UTF-8: a range that asks for another charset does not match it. */
const charset = '; charset=utf-8'

/**
 * @param types in the order of the server's preference, for equal qualities
 * @returns a function from an `Accept` header to a type, or to `null` when none is acceptable
 */
export function mediaTypeNegotiator<T extends string>(types: readonly T[]) {
  const offered = new Map(types.map((type) => [`${type}${charset}`, type]))
  const names = [...offered.keys()]
  const cache = new LruMap<string, T | 'none'>(maxCached)
  const negotiate = (accept: string): T | 'none' => {
    const [best] = new Negotiator({ headers: { accept } }).mediaTypes(names)
    return (best === undefined ? undefined : offered.get(best)) ?? 'none'
  }
  // Most headers equal the previous one.
  let last = '*/*'
  let lastBest = negotiate(last)
  return (accept: string | undefined): T | null => {
    const isRead = accept !== undefined && accept.length <= maxAcceptLength && accept.trim() !== ''
    const header = isRead ? accept : '*/*'
    if (header !== last) {
      lastBest = cache.get(header) ?? negotiate(header)
      last = header
      if (header.length <= maxCachedLength) cache.set(header, lastBest)
    }
    return lastBest === 'none' ? null : lastBest
  }
}
