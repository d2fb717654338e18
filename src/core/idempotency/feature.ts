import type { Feature } from '../feature/feature.ts'
import { formerKeyPurpose, idempotencyPurpose } from './former-key.ts'
import { idempotencyMigrations } from './migration.ts'

export const idempotencyFeature: Feature = {
  name: 'idempotency',
  migrations: idempotencyMigrations,
  encrypted: [
    {
      purpose: idempotencyPurpose,
      database: 'tenant',
      table: 'idempotency',
      column: 'outcome',
      key: ['tenant_id', 'key'],
    },
    {
      purpose: formerKeyPurpose,
      database: 'tenant',
      table: 'idempotency_former_key',
      column: 'key',
      key: ['tenant_id', 'id'],
    },
  ],
  digests: [idempotencyPurpose],
}
