/** Parses a verified body: JSON, or a form that has JSON in its member `payload`. */
import { isUtf8 } from 'node:buffer'
import { checkJsonBounds } from '../../../core/schema/json-bounds.ts'

/** Far more than the forms of providers have; a mebibyte of them takes 200 ms. */
const maxFormFields = 1000

/** @returns the parsed body; the members of a form; `null` for anything else */
export function parsePayload(body: Uint8Array, contentType: string | null): unknown {
  if (!isUtf8(body)) return null
  return isForm(contentType) ? parseForm(Buffer.from(body).toString()) : parseJson(Buffer.from(body))
}

function isForm(contentType: string | null): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? '')
}

/** GitHub and Slack can be set to send either. */
function parseForm(text: string): unknown {
  if (text.split('&', maxFormFields + 1).length > maxFormFields) return null
  const form = Object.fromEntries(new URLSearchParams(text))
  return parseJson(Buffer.from(form['payload'] ?? '')) ?? form
}

function parseJson(bytes: Buffer): unknown {
  try {
    checkJsonBounds(bytes, bytes.length)
    return JSON.parse(bytes.toString())
  } catch {
    return null // it was signed all the same: it is kept, and rules see its type only
  }
}
