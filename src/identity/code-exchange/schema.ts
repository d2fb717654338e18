import { type Static, Type } from 'typebox'
import { Text } from '../../core/schema/schema.ts'

const ReturnTo = Type.String({
  minLength: 1,
  maxLength: 500,
  description:
    'Where the browser returns: a path of this service, with the path of `BASE_URL` or without it, or an address ' +
    'whose origin is in `CORS_ORIGINS`',
  examples: ['/account/sso'],
})

/** A member of requests that send a mail with a link to a page. It says where that page leads in the end. */
export const MailedReturn = Type.Optional({
  ...ReturnTo,
  description:
    'Where the page of the mail leads in the end, instead of to the console: a path of this service, or an address ' +
    'whose origin is in `CORS_ORIGINS`',
  examples: ['/console'],
})

/** The parameters with which an application begins a sign-in on a page. */
export const SignInStart = Type.Object({
  returnTo: ReturnTo,
  codeChallenge: Type.String({
    minLength: 43,
    maxLength: 43,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'The SHA-256 of a random text, in base64url (RFC 7636); the exchange asks for the text',
    examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  }),
  loginHint: Type.Optional(
    Text(0, 256, {
      description: 'An email address, which the page may fill in',
      examples: ['ada@acme.example'],
    }),
  ),
})

export const CodeExchange = Type.Object(
  {
    code: Type.String({
      maxLength: 100,
      description: 'From the address of the return',
      examples: ['pq0Zb3…'],
    }),
    codeVerifier: Type.String({
      minLength: 43,
      maxLength: 128,
      pattern: '^[A-Za-z0-9._~-]+$',
      description: 'The text whose SHA-256 the start was given',
      examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
    }),
  },
  { $id: 'CodeExchange', description: 'The result of a sign-in on a page.' },
)

export type SignInStart = Static<typeof SignInStart>
export type CodeExchange = Static<typeof CodeExchange>
