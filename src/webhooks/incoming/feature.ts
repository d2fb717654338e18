import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { builtInActions } from './action/built-in.ts'
import { incomingMigrations } from './migration.ts'
import { providerRoutes } from './provider/rest.ts'
import { incomingSecretPurpose } from './provider/secret.ts'
import { receiptRoutes } from './receipt/rest.ts'
import { receiveRoute } from './receive/rest.ts'
import { receiptRetentionJob } from './retention/retention.ts'
import { retryJob } from './retry/retry.ts'
import type { Waiting } from './retry/waiting.ts'
import { ruleRoutes } from './rule/rest.ts'

export const incomingAudit = {
  'webhookProvider.set': 'A provider of incoming webhooks was set up or changed',
  'webhookProvider.deleted': 'A provider of incoming webhooks was deleted',
  'webhookRule.created': 'A rule for incoming webhooks was created',
  'webhookRule.updated': 'A rule for incoming webhooks was changed',
  'webhookRule.deleted': 'A rule for incoming webhooks was deleted',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof incomingAudit, string> {}
}

export interface IncomingOptions {
  bodyLimitBytes: number
  waiting: Waiting
  /** How long receipts are kept. */
  retentionDays: number
  /** Tenants whose own database may hold something that waits. */
  busy(): Promise<string[]>
}

export function incomingFeature(options: IncomingOptions): Feature {
  const { bodyLimitBytes, waiting, retentionDays, busy } = options
  return {
    name: 'incoming',
    audited: incomingAudit,
    migrations: incomingMigrations,
    routes: [
      receiveRoute(bodyLimitBytes, waiting),
      ...providerRoutes,
      ...ruleRoutes,
      ...receiptRoutes(waiting),
    ],
    actions: builtInActions,
    encrypted: [
      {
        purpose: incomingSecretPurpose,
        database: 'tenant',
        table: 'webhook_provider',
        column: 'secrets',
        key: ['tenant_id', 'name'],
      },
    ],
    jobs: [retryJob(waiting, busy), receiptRetentionJob(retentionDays)],
  }
}
