import type { Feature } from '../core/feature/feature.ts'
import { mailAudit, mailEvents } from './event.ts'
import { mailMigrations } from './migration.ts'
import { mailRoutes } from './rest.ts'
import { mailPurpose } from './send.ts'

export const mailFeature: Feature = {
  name: 'mail',
  permissions: {
    'mail:read': { description: 'See which mails were sent, without what they say', role: 'Admin' },
    'mail:write': { description: 'Retry mails', role: 'Admin' },
  },
  migrations: mailMigrations,
  routes: mailRoutes,
  events: mailEvents,
  audited: mailAudit,
  encrypted: [{ purpose: mailPurpose, database: 'catalogue', table: 'mail', column: 'content', key: ['id'] }],
}
