/** Content negotiation (RFC 9110, section 12.5.1): quality values, `q=0`, wildcards, the most specific range. */
import Negotiator from 'negotiator'
import { LruMap } from '../../../database/lru-map.ts'

/** Clients send few different headers. */
const maxCached = 100
const maxCachedLength = 500
/** Parsing the thousands of ranges of a longer header would cost more than the reply. */
const maxReadLength = 1000
/** Each type is text in UTF-8: a range that asks for another charset does not match it. */
const charset = '; charset=utf-8'

/**
 * Remembers what was negotiated for a header.
 * @param usual stands for a header that is absent, blank or too long
 * @param negotiate returns the best of what is offered, or `null` when none is acceptable
 */
export function remembering<T extends string>(usual: string, negotiate: (header: string) => T | null) {
  const cache = new LruMap<string, T | 'none'>(maxCached)
  // Most headers equal the previous one.
  let last = usual
  let lastBest: T | 'none' = negotiate(last) ?? 'none'
  return (given: string | undefined): T | null => {
    const isRead = given !== undefined && given.length <= maxReadLength && given.trim() !== ''
    const header = isRead ? given : usual
    if (header !== last) {
      lastBest = cache.get(header) ?? negotiate(header) ?? 'none'
      last = header
      if (header.length <= maxCachedLength) cache.set(header, lastBest)
    }
    return lastBest === 'none' ? null : lastBest
  }
}

/**
 * @param types in the order of the server's preference, for equal qualities
 * @returns a function from an `Accept` header to a type, or to `null` when none is acceptable
 */
export function mediaTypeNegotiator<T extends string>(types: readonly T[]) {
  const offered = new Map(types.map((type) => [`${type}${charset}`, type]))
  const names = [...offered.keys()]
  return remembering('*/*', (accept) => {
    const [best] = new Negotiator({ headers: { accept } }).mediaTypes(names)
    return (best === undefined ? undefined : offered.get(best)) ?? null
  })
}
