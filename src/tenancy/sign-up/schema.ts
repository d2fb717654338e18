import { type Static, Type } from 'typebox'
import { Nullable, Text, Timestamp, Uuid, withMembers } from '../../core/schema/schema.ts'
import { MailedReturn } from '../../identity/code-exchange/schema.ts'
import { MailedToken } from '../../identity/one-time-token/schema.ts'
import { maxPasswordLength } from '../../identity/password/schema.ts'
import { UserInput } from '../../identity/user/schema.ts'
import { TenantInput } from '../schema.ts'

const { name, subdomain } = TenantInput.properties
const { userName, email, password, firstName, lastName } = UserInput.properties

const tenantName = withMembers(name, { description: 'Display name of the tenant' })
const applicant = { userName, email, firstName, lastName }

export const SignUpInput = Type.Object(
  {
    tenantName,
    subdomain: Type.Optional({
      ...subdomain,
      description:
        'One DNS label, unique; it becomes the id of the tenant as well. Without it the id is generated',
      examples: ['analytical'],
    }),
    ...applicant,
    password,
    returnTo: MailedReturn,
  },
  { $id: 'SignUpInput', description: 'A new tenant and its first administrator.' },
)

export const SignUpVerification = Type.Object(
  {
    token: MailedToken,
    password: Type.String({
      maxLength: maxPasswordLength,
      description: 'The password of the sign-up',
      writeOnly: true,
      examples: ['Admin@123'],
    }),
  },
  { $id: 'SignUpVerification', description: 'The token of the mail, and the password of the sign-up.' },
)

export const SignUpResult = Type.Object(
  {
    status: Type.String({
      enum: ['COMPLETED', 'WAITING'],
      description: '`COMPLETED`: the tenant exists. `WAITING`: an administrator of the host decides',
    }),
    tenantId: Nullable(Type.String({ description: 'The tenant, once it exists', examples: ['analytical'] })),
    userName,
    signInUrl: Nullable(
      Type.String({
        description: 'Where users of the tenant sign in, once it exists',
        examples: ['https://example.com/console?tenant=analytical'],
      }),
    ),
  },
  { $id: 'SignUpResult', description: 'What became of a sign-up.' },
)

export const SignUp = Type.Object(
  {
    id: { ...Uuid, description: 'Assigned by the service' },
    tenantName,
    subdomain,
    ...applicant,
    createdAt: Timestamp,
    verifiedAt: { ...Timestamp, description: 'When the address was verified' },
    expiresAt: { ...Timestamp, description: 'When it is removed, unless somebody has decided' },
  },
  { $id: 'WaitingSignUp', description: 'A sign-up that waits for approval.' },
)

export const SignUpRejection = Type.Object(
  {
    reason: Type.Optional(
      Text(1, 500, { description: 'For the applicant', examples: ['We know no such organisation.'] }),
    ),
  },
  { $id: 'SignUpRejection', description: 'Why a sign-up is rejected.' },
)

export type SignUpInput = Static<typeof SignUpInput>
export type SignUpVerification = Static<typeof SignUpVerification>
export type SignUpResult = Static<typeof SignUpResult>
export type SignUpRejection = Static<typeof SignUpRejection>
