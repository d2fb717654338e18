import type { Feature } from '../feature.ts'
import { subscriptionMigrations } from './migration.ts'

export const subscriptionFeature: Feature = { name: 'subscription', migrations: subscriptionMigrations }
