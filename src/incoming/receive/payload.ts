/** What a verified body says: JSON, or a form that carries JSON in its member `payload`. */
import { isUtf8 } from 'node:buffer'

/** @returns the parsed body; the members of a form; `null` for anything else */
export function parsePayload(body: Uint8Array, contentType: string | null): unknown {
  if (!isUtf8(body)) return null
  const text = Buffer.from(body).toString()
  return isForm(contentType) ? parseForm(text) : parseJson(text)
}

function isForm(contentType: string | null): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? '')
}

/** GitHub and Slack can be set to send either. */
function parseForm(text: string): unknown {
  const form = Object.fromEntries(new URLSearchParams(text))
  return parseJson(form['payload'] ?? '') ?? form
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // it was signed all the same: it is kept, and rules see its type only
  }
}
