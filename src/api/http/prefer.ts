/** The preference `handling` of the header `Prefer` (RFC 7240, section 4.4). */
export type Handling = 'strict' | 'lenient'

/** Preferences are separated by commas, except for those in quotes. A quote that nothing closes goes to the end. */
const preferences = /(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^,"])+/g
const handling = /^\s*handling\s*=\s*"?(strict|lenient)"?\s*(?:;|$)/i

/** @returns the first one counts; `null` when the header has none that is known */
export function preferredHandling(header: string): Handling | null {
  for (const [preference] of header.matchAll(preferences)) {
    const found = handling.exec(preference)?.[1]
    if (found !== undefined) return found.toLowerCase() === 'strict' ? 'strict' : 'lenient'
  }
  return null
}
