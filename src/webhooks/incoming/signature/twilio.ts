/**
 * Verifies webhooks of Twilio: `X-Twilio-Signature` is an HMAC-SHA1 in base64 over the called address and the
 * fields of a form, in the order of their names. For JSON the address has the digest of the body in its parameter
 * `bodySHA256`. The signature has no timestamp.
 */
import { createHmac, hash } from 'node:crypto'
import { isForm, readForm } from './form.ts'
import { findSigner, readHeader, type SignatureVerdict, type SignedMessage } from './message.ts'

/** The 20 bytes of a SHA-1 in base64. */
const digestLength = 28

export function verifyTwilio(message: SignedMessage): SignatureVerdict {
  const header = readHeader(message, 'x-twilio-signature')
  if (header === null) return { refusal: 'missing' }
  if (header.length !== digestLength || !/^[A-Za-z0-9+/]{27}=$/.test(header)) return { refusal: 'malformed' }
  const fields = fieldsOf(message)
  if (fields === null) return { refusal: 'mismatch' }
  const given = Buffer.from(header, 'base64')
  const signed = message.addresses.map((address) => address + fields)
  return findSigner(message.secrets, [given], (secret) =>
    signed.map((text) => createHmac('sha1', secret).update(text).digest()),
  )
}

/** @returns the signed text after the address; `null` for a body that differs from the digest in the address */
function fieldsOf({ headers, body, addresses: [address = ''] }: SignedMessage): string | null {
  const text = Buffer.from(body).toString()
  if (isForm(headers['content-type'])) {
    const form = readForm(text)
    if (form === null) return null
    const names = [...new Set(form.keys())].toSorted()
    return names
      .map((name) =>
        [...new Set(form.getAll(name))]
          .toSorted()
          .map((value) => name + value)
          .join(''),
      )
      .join('')
  }
  const digest = new URL(address, 'https://sender').searchParams.get('bodySHA256')
  return digest !== null && digest.toLowerCase() === hash('sha256', body, 'hex') ? '' : null
}
