import { Type } from 'typebox'
import type { Feature } from '../feature/feature.ts'
import type { ColumnSchemas } from '../feature/stored-table.ts'
import { JsonText } from '../schema/stored.ts'
import { formerKeyPurpose, idempotencyPurpose } from './former-key.ts'
import { idempotencyMigrations } from './migration.ts'

/** The tables of idempotency as a feature, with their encrypted columns. */

const columns: ColumnSchemas = {
  idempotency: { outcome: JsonText(Type.Unknown(), (text) => (text === '' ? null : JSON.parse(text))) }, // empty while the command runs
  idempotency_former_key: { key: Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' }) }, // 32 bytes
}

export const idempotencyFeature: Feature = {
  name: 'idempotency',
  columns,
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
