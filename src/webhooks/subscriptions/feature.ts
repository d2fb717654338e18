import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import type { AddressPolicy } from '../../core/outgoing/ip-address.ts'
import { subscriptionColumns } from './columns.ts'
import { subscriptionEvents } from './event.ts'
import { subscriptionHeadersPurpose } from './header.ts'
import { subscriptionMigrations } from './migration.ts'
import { subscriptions } from './readable.ts'
import { subscriptionRoutes } from './rest.ts'
import { subscriptionSecretPurpose } from './secret.ts'

export const subscriptionAudit = {
  'subscription.created': 'A webhook subscription was created',
  'subscription.updated': 'A webhook subscription was changed',
  'subscription.deleted': 'A webhook subscription was deleted',
  'subscription.secretRotated': 'A webhook subscription got a new secret',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof subscriptionAudit, string> {}
}

const columnOfSubscription = { database: 'tenant', table: 'subscription', key: ['tenant_id', 'id'] } as const

/** @param policy the receivers that may be registered */
export function subscriptionFeature(policy: AddressPolicy): Feature {
  return {
    name: 'subscription',
    permissions: {
      'webhook:read': { description: 'See webhook subscriptions and deliveries', role: 'User' },
      'webhook:write': { description: 'Change webhook subscriptions, and repeat deliveries', role: 'User' },
    },
    audited: subscriptionAudit,
    columns: subscriptionColumns,
    migrations: subscriptionMigrations,
    routes: subscriptionRoutes(policy),
    graphql: subscriptions.graphql,
    events: subscriptionEvents,
    encrypted: [
      { purpose: subscriptionSecretPurpose, column: 'secrets', ...columnOfSubscription },
      { purpose: subscriptionHeadersPurpose, column: 'headers', ...columnOfSubscription },
    ],
  }
}
