import type { Feature } from '../feature.ts'
import { idempotencyMigrations } from './migration.ts'
import { idempotencyPurpose } from './once.ts'

export const idempotencyFeature: Feature = {
  name: 'idempotency',
  migrations: idempotencyMigrations,
  sealed: [
    {
      purpose: idempotencyPurpose,
      database: 'tenant',
      table: 'idempotency',
      column: 'outcome',
      key: ['tenant_id', 'key'],
    },
  ],
  digests: [idempotencyPurpose],
}
