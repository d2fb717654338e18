/** The signature schemes by name. A new scheme is added here. */
import { standardKey } from '../../standard-key.ts'
import {
  base64Digest,
  findSecret,
  firstHeader,
  hexDigest,
  isOverlong,
  isTimely,
  isTimestamp,
  maxSignatures,
  readHeader,
  type SignatureVerdict,
  type SignedMessage,
} from './message.ts'
import { verifyTwilio } from './twilio.ts'

interface Scheme {
  verify(message: SignedMessage): SignatureVerdict
  /** The member of the body with the id of the event; `null` for none. */
  idMember: string | null
  /** The headers with the id of the event: the first present one counts, and has precedence over the body. */
  idHeaders: readonly string[]
  /** The header with the type of the event. It has precedence over the body, whose `type` may mean something else. */
  typeHeader: string | null
  /** The paths of members of the body with the type, of which the first present one counts. */
  typeMembers: readonly (readonly string[])[]
  /** The form that the scheme requires of its secrets; `null` for any. */
  secretForm: { accepts(secret: string): boolean; refusal: string } | null
  /** Whether the sender requests its `challenge` back when its address is set up. */
  sendsChallenge: boolean
}

const basic = {
  idMember: null,
  idHeaders: [],
  typeHeader: null,
  typeMembers: [['type'], ['event']],
  secretForm: null,
  sendsChallenge: false,
}

export const schemes = {
  stripe: { ...basic, verify: verifyStripe, idMember: 'id' },
  github: {
    ...basic,
    verify: verifyGithub,
    idHeaders: ['x-github-delivery'],
    typeHeader: 'x-github-event',
  },
  shopify: {
    ...basic,
    verify: verifyShopify,
    idHeaders: ['x-shopify-webhook-id'],
    typeHeader: 'x-shopify-topic',
  },
  slack: {
    ...basic,
    verify: verifySlack,
    idMember: 'event_id',
    // The Events API sends each event inside one of the type `event_callback`.
    typeMembers: [['event', 'type'], ['type']],
    sendsChallenge: true,
  },
  twilio: {
    ...basic,
    verify: verifyTwilio,
    idHeaders: ['i-twilio-idempotency-token'],
    typeMembers: [['EventType'], ['MessageStatus'], ['CallStatus'], ['SmsStatus'], ['type']],
  },
  'standard-webhooks': {
    ...basic,
    verify: verifyStandardWebhooks,
    idHeaders: standardHeaders('id'),
    secretForm: {
      accepts: (secret) => standardKey(secret) !== null,
      refusal: 'must be whsec_ and base64 for this scheme',
    },
  },
} satisfies Record<string, Scheme>

export type SchemeName = keyof typeof schemes

export const schemeNames = Object.keys(schemes) as SchemeName[] // the keys of the constant above

export function schemeOf(name: SchemeName): Scheme {
  return schemes[name]
}

/**
 * The scheme of the specification, section 4.4, which is Stripe's: `<Provider>-Signature: t=…,v1=…` over
 * `{t}.{body}`. Unknown parts are ignored: senders may add some.
 */
function verifyStripe(message: SignedMessage): SignatureVerdict {
  const header = readHeader(message, `${message.provider}-signature`)
  if (header === null) return { refusal: 'missing' }
  if (isOverlong(header)) return { refusal: 'malformed' }
  const parts = header.split(',').map((part) => part.trim())
  const [timestamp, ...otherTimestamps] = valuesOf(parts, 't')
  const digests = valuesOf(parts, 'v1').map(hexDigest)
  const given = digests.filter((digest) => digest !== null)
  // With two timestamps it would be unclear which one was signed.
  if (timestamp === undefined || otherTimestamps.length > 0 || !isTimestamp(timestamp))
    return { refusal: 'malformed' }
  if (given.length === 0 || digests.length > maxSignatures) return { refusal: 'malformed' }
  if (!isTimely(timestamp, message)) return { refusal: 'untimely' }
  return findSecret(message, given, `${timestamp}.`)
}

function valuesOf(parts: readonly string[], name: string): string[] {
  return parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
}

/** GitHub: `X-Hub-Signature-256: sha256=…` over the body alone. It has no timestamp. */
function verifyGithub(message: SignedMessage): SignatureVerdict {
  const header = readHeader(message, 'x-hub-signature-256')
  if (header === null) return { refusal: 'missing' }
  const digest = header.startsWith('sha256=') ? hexDigest(header.slice('sha256='.length)) : null
  return digest === null ? { refusal: 'malformed' } : findSecret(message, [digest])
}

/** Shopify: `X-Shopify-Hmac-Sha256`, base64 over the body alone. It has no timestamp. */
function verifyShopify(message: SignedMessage): SignatureVerdict {
  const header = readHeader(message, 'x-shopify-hmac-sha256')
  if (header === null) return { refusal: 'missing' }
  const digest = base64Digest(header)
  return digest === null ? { refusal: 'malformed' } : findSecret(message, [digest])
}

/** Slack: `X-Slack-Signature: v0=…` over `v0:{timestamp}:{body}`. */
function verifySlack(message: SignedMessage): SignatureVerdict {
  const header = readHeader(message, 'x-slack-signature')
  const timestamp = readHeader(message, 'x-slack-request-timestamp')
  if (header === null || timestamp === null) return { refusal: 'missing' }
  const digest = header.startsWith('v0=') ? hexDigest(header.slice('v0='.length)) : null
  if (digest === null || !isTimestamp(timestamp)) return { refusal: 'malformed' }
  if (!isTimely(timestamp, message)) return { refusal: 'untimely' }
  return findSecret(message, [digest], `v0:${timestamp}:`)
}

/**
 * Standard Webhooks: `webhook-signature: v1,… v1,…` in base64 over `{id}.{timestamp}.{body}`. Svix, whose scheme it
 * was, sends the headers under its own name.
 */
function verifyStandardWebhooks(message: SignedMessage): SignatureVerdict {
  const read = (part: string) => firstHeader(message, standardHeaders(part))
  const [id, timestamp, header] = [read('id'), read('timestamp'), read('signature')]
  if (id === null || timestamp === null || header === null) return { refusal: 'missing' }
  if (isOverlong(header) || !isTimestamp(timestamp)) return { refusal: 'malformed' }
  const digests = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => base64Digest(part.slice(3)))
  const given = digests.filter((digest) => digest !== null)
  if (given.length === 0 || digests.length > maxSignatures) return { refusal: 'malformed' }
  if (!isTimely(timestamp, message)) return { refusal: 'untimely' }
  return findSecret(message, given, `${id}.${timestamp}.`, standardKey)
}

function standardHeaders(part: string): string[] {
  return [`webhook-${part}`, `svix-${part}`]
}
