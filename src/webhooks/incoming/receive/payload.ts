/** Parses a verified body: JSON, or a form with JSON in its field `payload`. */
import { isUtf8 } from 'node:buffer'
import { parseKeepingNumbers } from '../../../core/schema/exact-number.ts'
import { checkJsonBounds } from '../../../core/schema/json-bounds.ts'
import { isForm, readForm } from '../signature/form.ts'

/** @returns the parsed body, with its numbers as they are, the fields of a form, or `null` for anything else */
export function parsePayload(body: Uint8Array, contentType: string | null): unknown {
  if (!isUtf8(body)) return null
  return isForm(contentType) ? parseForm(Buffer.from(body).toString()) : parseJson(Buffer.from(body))
}

/** GitHub and Slack can be configured to send forms. */
function parseForm(text: string): unknown {
  const fields = readForm(text)
  if (fields === null) return null
  const form = Object.fromEntries(fields)
  return parseJson(Buffer.from(form['payload'] ?? '')) ?? form
}

function parseJson(bytes: Buffer): unknown {
  try {
    checkJsonBounds(bytes, bytes.length)
    return parseKeepingNumbers(bytes.toString())
  } catch {
    return null // the signature is valid: the receipt is stored, and rules can use the type from a header
  }
}
