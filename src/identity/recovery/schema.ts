import { type Static, Type } from 'typebox'
import { Text } from '../../core/schema/schema.ts'
import { MailedReturn } from '../code-exchange/schema.ts'
import { MailedToken } from '../one-time-token/schema.ts'
import { Password } from '../password/schema.ts'
import { firstUserName } from '../user/schema.ts'

export const ForgottenPassword = Type.Object(
  {
    userName: Text(1, 256, {
      description: 'User name or email',
      examples: [firstUserName],
    }),
    returnTo: MailedReturn,
  },
  { $id: 'ForgottenPassword', description: 'Whose password is forgotten.' },
)

export const PasswordReset = Type.Object(
  {
    token: MailedToken,
    password: Password,
  },
  { $id: 'PasswordReset', description: 'A token and the new password.' },
)

export type ForgottenPassword = Static<typeof ForgottenPassword>
export type PasswordReset = Static<typeof PasswordReset>
