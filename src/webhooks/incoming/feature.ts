import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { builtInActions } from './action.ts'
import { incomingColumns } from './columns.ts'
import { dryRunRoutes } from './dry-run/rest.ts'
import { incomingMigrations } from './migration.ts'
import { providers } from './provider/readable.ts'
import { providerRoutes } from './provider/rest.ts'
import { incomingSecretPurpose } from './provider/secrets.ts'
import { receipts } from './receipt/readable.ts'
import { receiptRoutes } from './receipt/rest.ts'
import { receiveRoute } from './receive/rest.ts'
import { receiptRetentionJob } from './retention/retention.ts'
import { rules } from './rule/readable.ts'
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
  /** Seconds between the attempts of an action. */
  retrySeconds: readonly number[]
  /** The address of the service as senders know it: some schemes sign the address that the sender has called. */
  baseUrl: string
  /** How long receipts are kept. */
  retentionDays: number
}

export function incomingFeature(options: IncomingOptions): Feature {
  const { bodyLimitBytes, retrySeconds, retentionDays, baseUrl } = options
  return {
    name: 'incoming',
    permissions: {
      'incomingWebhook:read': { description: 'See rules for incoming webhooks, and receipts', role: 'User' },
      'incomingWebhook:write': {
        description: 'Change rules for incoming webhooks, and repeat their actions',
        role: 'User',
      },
      'webhookProvider:read': { description: 'See providers of incoming webhooks', role: 'Admin' },
      'webhookProvider:write': { description: 'Change providers and their secrets', role: 'Admin' },
    },
    audited: incomingAudit,
    columns: incomingColumns,
    migrations: incomingMigrations,
    routes: [
      receiveRoute({ bodyLimitBytes, retrySeconds, baseUrl }),
      ...providerRoutes,
      ...ruleRoutes,
      ...dryRunRoutes,
      ...receiptRoutes(retrySeconds),
    ],
    graphql: {
      queries: {
        ...providers.graphql.queries,
        ...rules.graphql.queries,
        ...receipts.graphql.queries,
      },
    },
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
    jobs: [receiptRetentionJob(retentionDays)],
  }
}
