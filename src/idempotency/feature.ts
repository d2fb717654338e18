import type { Feature } from '../feature.ts'
import { idempotencyMigrations } from './migration.ts'

export const idempotencyFeature: Feature = { name: 'idempotency', migrations: idempotencyMigrations }
