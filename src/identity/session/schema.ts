import { type Static, Type } from 'typebox'
import { Nullable, StringEnum, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'
import { maxPasswordLength } from '../password/schema.ts'
import { firstUserName, SignedInUser } from '../user/schema.ts'

const refreshToken = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The refresh token of the last sign-in or exchange',
  examples: ['pq0Zb3…'],
})

export const LoginInput = Type.Object(
  {
    userName: Text(1, 256, {
      description: 'User name or email',
      examples: [firstUserName],
    }),
    password: Type.String({
      minLength: 1,
      maxLength: maxPasswordLength,
      description: 'The password, which is not trimmed',
      format: 'password',
      writeOnly: true,
      examples: ['Admin@123'],
    }),
  },
  { $id: 'LoginInput', description: 'The credentials of a user.' },
)

/** An object, or the bare token as a JSON string. */
export const RefreshInput = Type.Union([Type.Object({ refreshToken }), refreshToken], {
  $id: 'RefreshInput',
  description: 'An object, or the bare token as a JSON string.',
})
export const LogoutInput = Type.Union(
  [Type.Object({ refreshToken: Type.Optional(refreshToken) }), refreshToken],
  { $id: 'LogoutInput', description: 'An object, the bare token as a JSON string, or no body.' },
)

export const SignIn = Type.Object(
  {
    accessToken: Type.String({
      description: 'A JWT for the `Authorization: Bearer` header',
      examples: ['eyJhbGciOiJFUzI1NiIs…'],
    }),
    refreshToken: Type.String({
      description: 'Valid for 7 days and for one exchange',
      examples: ['pq0Zb3…'],
    }),
    tokenType: StringEnum(['Bearer'], {
      description: 'The scheme of the `Authorization` header',
    }),
    expiresIn: Type.Integer({ description: 'Seconds until the access token expires', examples: [900] }),
    expiresAt: { ...Timestamp, description: 'When the access token expires: ISO 8601, UTC' },
    user: SignedInUser,
  },
  { $id: 'SignIn', description: 'The tokens of a session, and its user.' },
)

export const Device = Type.String({
  description: 'Browser and system, as far as the client tells them',
  examples: ['Firefox on Windows'],
})

export const Place = Type.String({
  description: 'The network of the client: an IPv4 address, or an IPv6 network',
  examples: ['203.0.113.7'],
})

export const Session = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the session' },
    device: Device,
    place: Place,
    methods: Type.Array(Type.String({ examples: ['pwd'] }), {
      description: 'How the user signed in; empty for an administrator who acts as the user',
      examples: [['pwd']],
    }),
    createdAt: { ...Timestamp, description: 'When the user signed in' },
    lastUsedAt: { ...Timestamp, description: 'The last refresh, to the minute' },
    isCurrent: Type.Boolean({ description: 'Whether it is the session of the request' }),
    impersonatorName: Nullable(
      Type.String({
        description: 'The administrator of the host tenant who acts as the user; `null` for the user',
        examples: ['admin'],
      }),
    ),
  },
  { $id: 'Session', description: 'A session of a user.' },
)

export const StepUpInput = Type.Union(
  [
    Type.Object({
      password: Type.String({
        minLength: 1,
        maxLength: maxPasswordLength,
        description: 'Your own password',
        format: 'password',
        writeOnly: true,
        examples: ['Admin@123'],
      }),
    }),
    Type.Object({
      code: Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'A code of your authenticator app, or a recovery code',
        writeOnly: true,
        examples: ['492039'],
      }),
    }),
  ],
  { $id: 'StepUpInput', description: 'A proof of who you are: your password or a code.' },
)

export const SteppedUp = Type.Object(
  {
    authenticatedAt: { ...Timestamp, description: 'When you proved who you are; it suffices for 10 minutes' },
  },
  { $id: 'SteppedUp', description: 'A session whose user has proven again who they are.' },
)

export type SignIn = Static<typeof SignIn>
export type Session = Static<typeof Session>
export type StepUpInput = Static<typeof StepUpInput>
export type SteppedUp = Static<typeof SteppedUp>
