import type { Feature } from '../feature.ts'
import type { AddressPolicy } from './ip-address.ts'
import { subscriptionMigrations } from './migration.ts'
import { subscriptionRoutes } from './rest.ts'

/** @param policy which receivers may be registered */
export function subscriptionFeature(policy: AddressPolicy): Feature {
  return {
    name: 'subscription',
    migrations: subscriptionMigrations,
    routes: subscriptionRoutes(policy),
  }
}
