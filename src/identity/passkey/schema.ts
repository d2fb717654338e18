import { type Static, Type } from 'typebox'
import { Nullable, StringEnum, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'

/** The most passkeys of one user. */
export const maxPasskeys = 20

const bytes = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[A-Za-z0-9_-]+$',
    'x-reason': 'must be base64url',
    description,
    examples: ['pq0Zb3'],
  })

export const credentialId = bytes(1400, 'The id that the authenticator has given')
/** Authenticators that store no user send `null` (WebAuthn Level 3, section 5.2.2), some an empty value. */
const userHandle = { ...bytes(100, 'The id of the user'), minLength: 0, pattern: '^[A-Za-z0-9_-]*$' }
const keyType = StringEnum(['public-key'], {
  description: 'The kind of credential',
})
const clientDataJSON = bytes(4000, 'Challenge and origin, as the browser saw them')
const transports = Type.Array(Type.String({ maxLength: 20, pattern: '^[a-z-]+$', examples: ['internal'] }), {
  maxItems: 10,
  description: 'How the authenticator can be reached',
  examples: [['internal']],
})
const challenge = bytes(100, 'To be signed once, within five minutes')
const name = Text(1, 100, { description: 'Chosen by the user', examples: ['My laptop'] })
const timeout = Type.Integer({ description: 'Milliseconds', examples: [300_000] })
const rpId = Type.String({
  description: 'The host for which passkeys are made',
  examples: ['app.example.com'],
})
const verification = Type.String({
  description: 'Whether the user has to be verified',
  examples: ['required'],
})

const descriptor = Type.Object({ id: credentialId, type: keyType, transports: Type.Optional(transports) })

export const Passkey = Type.Object(
  {
    id: { ...Uuid, description: 'Assigned by the service' },
    name,
    createdAt: Timestamp,
    lastUsedAt: Nullable({ ...Timestamp, description: 'The last sign-in with it' }),
  },
  { $id: 'Passkey', description: 'A passkey of a user.' },
)

/** Members as in WebAuthn Level 3, `PublicKeyCredentialCreationOptionsJSON`. */
export const PasskeyCreationOptions = Type.Object(
  {
    challenge,
    rp: Type.Object(
      { id: rpId, name: Type.String({ description: 'The name of the tenant', examples: ['Acme'] }) },
      { description: 'The relying party' },
    ),
    user: Type.Object(
      {
        id: bytes(100, 'The id of the user'),
        name: Type.String({ description: 'The user name', examples: ['ada'] }),
        displayName: Type.String({ description: 'The name of the person', examples: ['Ada Lovelace'] }),
      },
      { description: 'Whose passkey it will be' },
    ),
    pubKeyCredParams: Type.Array(
      Type.Object({ alg: Type.Integer({ description: 'COSE algorithm', examples: [-7] }), type: keyType }),
      { description: 'Accepted algorithms' },
    ),
    timeout,
    attestation: Type.String({ description: 'What the authenticator says of itself', examples: ['none'] }),
    excludeCredentials: Type.Array(descriptor, { description: 'Passkeys that the user has' }),
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.String({
          description: 'Whether it can be found without a name',
          examples: ['required'],
        }),
        requireResidentKey: Type.Boolean({ description: 'The same, for older browsers' }),
        userVerification: verification,
      },
      { description: 'Accepted authenticators' },
    ),
  },
  { $id: 'PasskeyCreationOptions', description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`.' },
)

/** Members as in WebAuthn Level 3, `PublicKeyCredentialRequestOptionsJSON`. */
export const PasskeyRequestOptions = Type.Object(
  {
    challenge,
    rpId,
    timeout,
    userVerification: verification,
    allowCredentials: Type.Array(descriptor, { description: 'Any if empty' }),
  },
  { $id: 'PasskeyRequestOptions', description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON`.' },
)

export const PasskeyInput = Type.Object(
  {
    name,
    response: Type.Object(
      {
        id: credentialId,
        rawId: credentialId,
        type: keyType,
        response: Type.Object(
          {
            clientDataJSON,
            attestationObject: bytes(12_000, 'The public key'),
            transports: Type.Optional(Nullable(transports)),
          },
          { description: 'The answer of the authenticator' },
        ),
      },
      { description: '`credential.toJSON()` in the browser' },
    ),
  },
  { $id: 'PasskeyInput', description: 'A new passkey.' },
)

export const PasskeyName = Type.Object({ name }, { $id: 'PasskeyName', description: 'A name of a passkey.' })

export const AddedPasskey = Type.Object(
  {
    ...Passkey.properties,
    recoveryCodes: Nullable(
      Type.Array(Type.String({ examples: ['MFRG-GZDF-MZTW-Q2LK'] }), {
        description: 'With the first factor of a user: ten codes, shown once; otherwise `null`',
        examples: [['MFRG-GZDF-MZTW-Q2LK']],
      }),
    ),
  },
  { $id: 'AddedPasskey', description: 'A new passkey.' },
)

const token = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'After a password: the value of `X-Mfa-Token` in the reply to it',
  writeOnly: true,
})

export const PasskeyRequest = Type.Object(
  { token: Type.Optional(token) },
  { $id: 'PasskeyRequest', description: 'Without `token` the passkey signs in without a password.' },
)

export const PasskeySignIn = Type.Object(
  {
    token: Type.Optional(token),
    response: Type.Object(
      {
        id: credentialId,
        rawId: credentialId,
        type: keyType,
        response: Type.Object(
          {
            clientDataJSON,
            authenticatorData: bytes(4000, 'What the authenticator says'),
            signature: bytes(4000, 'Over both'),
            userHandle: Type.Optional(Nullable(userHandle)),
          },
          { description: 'The answer of the authenticator' },
        ),
      },
      { description: '`credential.toJSON()` in the browser' },
    ),
  },
  { $id: 'PasskeySignIn', description: 'A sign-in with a passkey.' },
)

export type Passkey = Static<typeof Passkey>
export type PasskeyInput = Static<typeof PasskeyInput>
export type AddedPasskey = Static<typeof AddedPasskey>
export type PasskeySignIn = Static<typeof PasskeySignIn>
