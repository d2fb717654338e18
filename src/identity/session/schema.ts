import { type Static, Type } from 'typebox'
import { Timestamp } from '../../core/schema/schema.ts'
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
    userName: Type.String({
      minLength: 1,
      maxLength: 256,
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
    tokenType: Type.Unsafe<'Bearer'>({
      type: 'string',
      enum: ['Bearer'],
      description: 'The scheme of the `Authorization` header',
    }),
    expiresIn: Type.Integer({ description: 'Seconds until the access token expires', examples: [900] }),
    expiresAt: { ...Timestamp, description: 'When the access token expires: ISO 8601, UTC' },
    user: SignedInUser,
  },
  { $id: 'SignIn', description: 'The tokens of a session, and its user.' },
)

export type SignIn = Static<typeof SignIn>
