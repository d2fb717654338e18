import type { Feature } from '../feature/feature.ts'
import { digestKeyPurpose } from './digest-key.ts'
import { sealingMigrations } from './migration.ts'

export const sealingFeature: Feature = {
  name: 'sealing',
  migrations: sealingMigrations,
  sealed: [
    {
      purpose: digestKeyPurpose,
      database: 'catalogue',
      table: 'digest_key',
      column: 'key',
      key: ['purpose'],
    },
  ],
}
