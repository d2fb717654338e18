import type { Feature } from '../../core/feature/feature.ts'
import { subscriptionHeadersPurpose } from './header.ts'
import type { AddressPolicy } from './ip-address.ts'
import { subscriptionMigrations } from './migration.ts'
import { subscriptionRoutes } from './rest.ts'
import { subscriptionSecretPurpose } from './secret.ts'

const place = { database: 'tenant', table: 'subscription', key: ['tenant_id', 'id'] } as const

/** @param policy which receivers may be registered */
export function subscriptionFeature(policy: AddressPolicy): Feature {
  return {
    name: 'subscription',
    migrations: subscriptionMigrations,
    routes: subscriptionRoutes(policy),
    encrypted: [
      { purpose: subscriptionSecretPurpose, column: 'secrets', ...place },
      { purpose: subscriptionHeadersPurpose, column: 'headers', ...place },
    ],
  }
}
