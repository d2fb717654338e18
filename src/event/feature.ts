import type { Feature } from '../feature.ts'
import { eventMigrations } from './migration.ts'

export const eventFeature: Feature = { name: 'event', migrations: eventMigrations }
