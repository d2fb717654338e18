import { type Static, Type } from 'typebox'
import { Timestamp } from '../schema.ts'
import { SignedInUser } from '../user/schema.ts'

const refreshToken = Type.String({ minLength: 1, maxLength: 512, examples: ['pq0Zb3…'] })

export const LoginInput = Type.Object(
  {
    userName: Type.String({ minLength: 1, maxLength: 256, description: 'Or the email', examples: ['ada'] }),
    password: Type.String({
      minLength: 1,
      maxLength: 128,
      format: 'password',
      writeOnly: true,
      examples: ['Admin@123'],
    }),
  },
  { $id: 'LoginInput' },
)

/** An object, or the bare token as a JSON string. */
export const RefreshInput = Type.Union([Type.Object({ refreshToken }), refreshToken], { $id: 'RefreshInput' })
export const LogoutInput = Type.Union(
  [Type.Object({ refreshToken: Type.Optional(refreshToken) }), refreshToken],
  { $id: 'LogoutInput' },
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
    tokenType: Type.Unsafe<'Bearer'>({ type: 'string', enum: ['Bearer'] }),
    expiresIn: Type.Integer({ description: 'Seconds', examples: [900] }),
    expiresAt: Timestamp,
    user: SignedInUser,
  },
  { $id: 'SignIn' },
)

export type SignIn = Static<typeof SignIn>
