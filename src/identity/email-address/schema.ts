import { type Static, Type } from 'typebox'
import { MailedToken } from '../one-time-token/schema.ts'
import { UserInput } from '../user/schema.ts'

const { email } = UserInput.properties

export const EmailChange = Type.Object(
  { email: { ...email, examples: ['ada.lovelace@example.com'] } },
  { $id: 'EmailChange', description: 'The new address, or the present one to verify it.' },
)

export const EmailVerification = Type.Object(
  { token: MailedToken },
  { $id: 'EmailVerification', description: 'The token of a mail that verifies an address.' },
)

export type EmailChange = Static<typeof EmailChange>
export type EmailVerification = Static<typeof EmailVerification>
