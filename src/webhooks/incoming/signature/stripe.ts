/** The scheme of the specification, section 4.4, which is Stripe's: `<Provider>-Signature: t=…,v1=…`. */
import {
  findSecret,
  hexDigest,
  isOverlong,
  isTimely,
  isTimestamp,
  mostSignatures,
  readHeader,
  type SignedMessage,
  type Verdict,
} from './message.ts'

/** Signed is `{t}.{body}`. Parts of other names are ignored: senders may add some. */
export function verifyStripe(message: SignedMessage): Verdict {
  const header = readHeader(message, `${message.provider}-signature`)
  if (header === null) return { refusal: 'missing' }
  if (isOverlong(header)) return { refusal: 'malformed' }
  const parts = header.split(',').map((part) => part.trim())
  const [timestamp, ...more] = valuesOf(parts, 't')
  const digests = valuesOf(parts, 'v1').map(hexDigest)
  const given = digests.filter((digest) => digest !== null)
  // With two timestamps it would be open which of them was signed.
  if (timestamp === undefined || more.length > 0 || !isTimestamp(timestamp)) return { refusal: 'malformed' }
  if (given.length === 0 || digests.length > mostSignatures) return { refusal: 'malformed' }
  if (!isTimely(timestamp, message)) return { refusal: 'untimely' }
  return findSecret(message, given, `${timestamp}.`)
}

function valuesOf(parts: readonly string[], name: string): string[] {
  return parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
}
