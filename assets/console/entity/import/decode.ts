/** The text of a file, whose encoding is recognised and can be changed. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

/** By the byte order mark; without one it is UTF-8 if it can be read as such, as a text of another encoding cannot. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return decode(bytes, 'utf-8') === null ? 'windows-1252' : 'utf-8'
}

/** @returns the text without its byte order mark; `null` for bytes that are none in the encoding */
export function decode(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
