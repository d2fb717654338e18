import { type Route, route } from '../../core/feature/route.ts'
import { User } from '../user/schema.ts'
import { acceptInvitation, createInvitation, type InvitationParts, withdrawInvitation } from './invitation.ts'
import { invitations } from './readable.ts'
import { Acceptance, Invitation, InvitationInput } from './schema.ts'

const common = { tag: 'Users', database: 'catalogue' } as const
const base = '/api/invitations'

export function invitationRoutes(parts: InvitationParts): Route[] {
  return [
    invitations.list,
    invitations.get,
    route({
      ...common,
      method: 'POST',
      path: base,
      summary: 'Invite a user',
      description:
        'Sends a mail with a link that works once, for seven days. A further invitation of an address replaces the earlier one. You can give only roles that you may grant. Without `roles` the user gets the `defaultRole` of the tenant.',
      access: 'invitation:write',
      body: InvitationInput,
      status: 201,
      reply: Invitation,
      errors: ['tooManyRequests'],
      idempotent: true,
      handle: (context, { body }) => createInvitation(context, parts, body),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: `${base}/:id`,
      summary: 'Withdraw an invitation',
      access: 'invitation:write',
      status: 204,
      errors: ['notFound'],
      handle: (context, { path }) => withdrawInvitation(context, path.id),
    }),
    route({
      ...common,
      method: 'POST',
      path: `${base}/accept`,
      summary: 'Accept an invitation',
      name: 'acceptInvitation',
      description: 'Creates the user with the invited address. The user signs in afterwards.',
      access: 'anonymous',
      body: Acceptance,
      status: 201,
      reply: User,
      errors: ['overloaded'],
      limit: 'strict',
      handle: (context, { body }) => acceptInvitation(context, body),
    }),
  ]
}
