/** The schemes by name: how each is verified, and where it names an event and its type. */
import { verifyGithub } from './github.ts'
import type { SignedMessage, Verdict } from './message.ts'
import { verifyShopify } from './shopify.ts'
import { verifySlack } from './slack.ts'
import { verifyStandardWebhooks } from './standard-webhooks.ts'
import { verifyStripe } from './stripe.ts'

interface Scheme {
  verify(message: SignedMessage): Verdict
  /** The member of the body that names the event, where the body does it. */
  idMember: string | null
  /** The header that does; it goes before the body. */
  idHeader: string | null
  /** For events whose body names no type. */
  typeHeader: string | null
}

export const schemes = {
  stripe: { verify: verifyStripe, idMember: 'id', idHeader: null, typeHeader: null },
  github: {
    verify: verifyGithub,
    idMember: null,
    idHeader: 'x-github-delivery',
    typeHeader: 'x-github-event',
  },
  shopify: {
    verify: verifyShopify,
    idMember: null,
    idHeader: 'x-shopify-webhook-id',
    typeHeader: 'x-shopify-topic',
  },
  slack: { verify: verifySlack, idMember: 'event_id', idHeader: null, typeHeader: null },
  'standard-webhooks': {
    verify: verifyStandardWebhooks,
    idMember: null,
    idHeader: 'webhook-id',
    typeHeader: null,
  },
} as const satisfies Record<string, Scheme>

export type SchemeName = keyof typeof schemes

export const schemeNames = Object.keys(schemes) as SchemeName[] // the keys of the constant above

export function schemeOf(name: SchemeName): Scheme {
  return schemes[name]
}
