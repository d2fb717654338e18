import { type Static, Type } from 'typebox'
import { Nullable, StringEnum, Timestamp } from '../../core/schema/schema.ts'
import { SignIn } from '../session/schema.ts'

const code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits of the authenticator app, or a recovery code. Blanks and hyphens do not count',
  writeOnly: true,
  examples: ['492039'],
})

const codeMethod = StringEnum(['totp', 'recovery'], {
  description: 'What kind of code it is. Its form says so as well',
  examples: ['totp'],
})

const token = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The value of `X-Mfa-Token` in the reply to the password',
  writeOnly: true,
  examples: ['pq0Zb3…'],
})

const recoveryCodes = Type.Array(Type.String({ examples: ['MFRG-GZDF-MZTW-Q2LK'] }), {
  description: 'Each signs in once in place of another factor. They cannot be read again',
  examples: [['MFRG-GZDF-MZTW-Q2LK']],
})

export const SecondFactors = Type.Object(
  {
    isRequired: Type.Boolean({ description: 'Whether the tenant requires a second factor' }),
    totpAddedAt: Nullable({
      ...Timestamp,
      description: 'When the authenticator app was added; `null` without one',
    }),
    recoveryCodesLeft: Type.Integer({ description: 'How many were not used', examples: [10] }),
    passkeys: Type.Integer({ description: 'How many the user has', examples: [1] }),
  },
  { $id: 'SecondFactors', description: 'The second factors of a user.' },
)

export const TotpSecret = Type.Object(
  {
    secret: Type.String({
      description: 'In base32, to be typed',
      examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
    }),
    url: Type.String({
      description: 'To be shown as a QR code',
      examples: ['otpauth://totp/Acme:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Acme'],
    }),
    qrCode: Nullable(
      Type.Object(
        {
          viewBox: Type.String({ description: 'The `viewBox` of an SVG', examples: ['-4 -4 29 29'] }),
          path: Type.String({ description: 'The `d` of its path', examples: ['M0 0L0 7L7 7L7 0Z'] }),
        },
        { description: 'That code as a picture; `null` where the names in the address are too long for one' },
      ),
    ),
  },
  {
    $id: 'TotpSecret',
    description: 'A secret for an authenticator app, active after a code of it was given.',
  },
)

export const TotpConfirmation = Type.Object(
  { code: { ...code, description: 'Six digits of the authenticator app' } },
  { $id: 'TotpConfirmation', description: 'A code that shows that the app has the secret.' },
)

export const RecoveryCodes = Type.Object(
  { recoveryCodes },
  { $id: 'RecoveryCodes', description: 'Ten recovery codes, shown once.' },
)

export const MfaVerification = Type.Object(
  { token, method: Type.Optional(codeMethod), code },
  { $id: 'MfaVerification', description: 'The second step of a sign-in.' },
)

export const MfaEnrollment = Type.Object(
  { token },
  { $id: 'MfaEnrollment', description: 'The token of a sign-in that requires a second factor.' },
)

export const MfaEnrollmentConfirmation = Type.Object(
  { token, ...TotpConfirmation.properties },
  { $id: 'MfaEnrollmentConfirmation', description: 'The token, and a first code of the app.' },
)

export const EnrolledSignIn = Type.Object(
  { ...SignIn.properties, recoveryCodes },
  { $id: 'EnrolledSignIn', description: 'The tokens of a session, and the recovery codes of its user.' },
)

export type CodeMethod = Static<typeof codeMethod>
export type GivenCode = Pick<MfaVerification, 'code' | 'method'>
export type SecondFactors = Static<typeof SecondFactors>
export type TotpSecret = Static<typeof TotpSecret>
export type MfaVerification = Static<typeof MfaVerification>
export type MfaEnrollmentConfirmation = Static<typeof MfaEnrollmentConfirmation>
export type EnrolledSignIn = Static<typeof EnrolledSignIn>
