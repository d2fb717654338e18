/** The encodings of files that can be imported. The encoding is recognised, and the user can change it. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

/** @returns the encoding by the byte order mark. Without one it is UTF-8 if the bytes are valid UTF-8. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return decode(bytes, 'utf-8') === null ? 'windows-1252' : 'utf-8'
}

/** @returns the text without its byte order mark; `null` if the bytes are not valid in the encoding */
export function decode(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
