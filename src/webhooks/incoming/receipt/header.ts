/** The headers of a message as they are kept: without what would let somebody else in. */
import type { Headers } from '../signature/message.ts'

export const masked = '****'

/** Credentials, by what their headers are called. Signatures stay: they help to find out what went wrong. */
const secret = /auth|cookie|token|secret|password|passwd|credential|api-?key|access-?key|session/i

export function keptHeaders(headers: Headers): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, secret.test(name) ? masked : [value].flat().join(', ')]],
  )
  return Object.fromEntries(entries) as Record<string, string> // pairs of texts
}
