/** Reads the name of a file in `Content-Disposition` (RFC 6266, RFC 7578). */
import { isUtf8 } from 'node:buffer'

const parameter = /;\s*([!#$%&'*+.^`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g

/** @returns an empty name for an input without a file; `null` for a field that is not a file */
export function fileNameOf(disposition: string): string | null {
  const values = new Map<string, string>()
  for (const [, name = '', quoted, token = ''] of disposition.matchAll(parameter))
    values.set(name.toLowerCase(), quoted === undefined ? token : unquote(quoted))
  return readExtended(values.get('filename*')) ?? values.get('filename') ?? null
}

/** Browsers write a quote as %22 (HTML, section 4.10.22.8), other clients with a backslash. */
function unquote(text: string): string {
  return text.replaceAll('%22', '"').replaceAll(/\\(["\\])/g, '$1')
}

/** Reads `charset'language'value` (RFC 8187, section 3.2). @returns `null` for another form or an unknown charset */
function readExtended(text: string | undefined): string | null {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[\w-]*'([\x21-\x7e]+)$/.exec(text ?? '') ?? []
  const bytes = Buffer.from(
    encoded.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  if (bytes.length === 0) return null
  if (/^utf-8$/i.test(charset)) return isUtf8(bytes) ? bytes.toString('utf8') : null
  return /^iso-8859-1$/i.test(charset) ? bytes.toString('latin1') : null
}
