import type { Feature } from '../../core/feature/feature.ts'
import { invitationAudit, invitationEvents } from './event.ts'
import type { InvitationParts } from './invitation.ts'
import { invitationMails } from './mail.ts'
import { invitationMigrations } from './migration.ts'
import { invitations } from './readable.ts'
import { invitationRoutes } from './rest.ts'

export function invitationFeature(parts: InvitationParts): Feature {
  return {
    name: 'invitation',
    permissions: {
      'invitation:read': { description: 'See invitations', role: 'Admin' },
      'invitation:write': { description: 'Invite users, and withdraw invitations', role: 'Admin' },
    },
    audited: invitationAudit,
    migrations: invitationMigrations,
    routes: invitationRoutes(parts),
    graphql: invitations.graphql,
    events: invitationEvents,
    mails: invitationMails,
  }
}
