import type { Feature } from '../core/feature/feature.ts'
import type { Config } from '../core/settings/config.ts'
import type { Database } from '../database/executor.ts'
import { mailAudit, mailEvents } from './event.ts'
import { mailHome } from './home.ts'
import { mailMetrics } from './metrics.ts'
import { mailMigrations } from './migration.ts'
import type { MailRuns } from './queue/mail-queue.ts'
import { mails } from './readable.ts'
import { mailRoutes } from './rest.ts'
import { removeOldMails } from './retention.ts'
import { mailPurpose } from './send.ts'

export interface MailFeatureParts {
  /** Called when metrics are read, because the source is created after the features. */
  sources: () => { mails: MailRuns | null }
  catalogue: Database
  clock: () => Date
  config: Pick<Config, 'mailRetentionDays' | 'smtpUrl'>
}

export function mailFeature({ sources, catalogue, clock, config }: MailFeatureParts): Feature {
  return {
    name: 'mail',
    permissions: {
      'mail:read': { description: 'See which mails were sent, without what they say', role: 'Admin' },
      'mail:write': { description: 'Retry mails', role: 'Admin' },
    },
    migrations: mailMigrations,
    routes: mailRoutes,
    graphql: mails.graphql,
    home: mailHome(config.smtpUrl !== null),
    events: mailEvents,
    audited: mailAudit,
    jobs: [removeOldMails(config.mailRetentionDays)],
    metrics: mailMetrics(() => sources().mails, catalogue, clock),
    encrypted: [
      { purpose: mailPurpose, database: 'catalogue', table: 'mail', column: 'content', key: ['id'] },
    ],
  }
}
