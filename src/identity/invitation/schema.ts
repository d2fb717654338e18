import { type Static, Type } from 'typebox'
import { AttributesShape } from '../../core/attributes.ts'
import { Timestamp, Uuid } from '../../core/schema/schema.ts'
import { maxUserName } from '../../entity/user-reference.ts'
import { MailedReturn } from '../code-exchange/schema.ts'
import { MailedToken } from '../one-time-token/schema.ts'
import { UserInput } from '../user/schema.ts'

export const maxInvitations = 1000

const { email: anyEmail, roles, attributes, userName, firstName, lastName, password } = UserInput.properties

/** An address that no user in the examples has. */
const email = { ...anyEmail, examples: ['grace@example.com'] }

export const InvitationInput = Type.Object(
  { email, roles: Type.Optional(roles), attributes, returnTo: MailedReturn },
  {
    $id: 'InvitationInput',
    description: 'Whom to invite. Without `roles` the user gets the default role of the tenant.',
  },
)

export const Invitation = Type.Object(
  {
    id: { ...Uuid, description: 'Assigned by the service' },
    email,
    roles,
    attributes: AttributesShape,
    invitedBy: Type.String({
      maxLength: maxUserName,
      description: 'The name of whoever invited',
      examples: ['admin'],
    }),
    createdAt: Timestamp,
    expiresAt: { ...Timestamp, description: 'When the link in the mail stops working' },
  },
  { $id: 'Invitation', description: 'An invitation that nobody has accepted yet.' },
)

export const Acceptance = Type.Object(
  {
    token: MailedToken,
    userName,
    password,
    firstName,
    lastName,
  },
  { $id: 'Acceptance', description: 'The token of an invitation, and the new user.' },
)

export type InvitationInput = Static<typeof InvitationInput>
export type Invitation = Static<typeof Invitation>
export type Acceptance = Static<typeof Acceptance>
