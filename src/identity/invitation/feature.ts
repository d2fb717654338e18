import type { Feature } from '../../core/feature/feature.ts'
import { invitationAudit, invitationEvents } from './event.ts'
import { invitationMails } from './mail.ts'
import { invitationMigrations } from './migration.ts'
import { invitationRoutes } from './rest.ts'

/** @param accountUrl where the account pages of the application are */
export function invitationFeature(accountUrl: string | null): Feature {
  return {
    name: 'invitation',
    permissions: {
      'invitation:read': { description: 'See invitations', role: 'Admin' },
      'invitation:write': { description: 'Invite users, and withdraw invitations', role: 'Admin' },
    },
    audited: invitationAudit,
    migrations: invitationMigrations,
    routes: invitationRoutes(accountUrl),
    events: invitationEvents,
    mails: invitationMails,
  }
}
