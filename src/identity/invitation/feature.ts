import type { Feature } from '../../core/feature/feature.ts'
import type { AccountPages } from '../account-link.ts'
import { invitationAudit, invitationEvents } from './event.ts'
import { invitationMails } from './mail.ts'
import { invitationMigrations } from './migration.ts'
import { invitationRoutes } from './rest.ts'

export function invitationFeature(pages: AccountPages): Feature {
  return {
    name: 'invitation',
    permissions: {
      'invitation:read': { description: 'See invitations', role: 'Admin' },
      'invitation:write': { description: 'Invite users, and withdraw invitations', role: 'Admin' },
    },
    audited: invitationAudit,
    migrations: invitationMigrations,
    routes: invitationRoutes(pages),
    events: invitationEvents,
    mails: invitationMails,
  }
}
