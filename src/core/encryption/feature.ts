import type { Feature } from '../feature/feature.ts'
import { digestKeyPurpose } from './digest-key.ts'
import { encryptionMigrations } from './migration.ts'

/** The tables of encryption as a feature: the keys of digests are encrypted themselves. */
export const encryptionFeature: Feature = {
  name: 'encryption',
  migrations: encryptionMigrations,
  encrypted: [
    {
      purpose: digestKeyPurpose,
      database: 'catalogue',
      table: 'digest_key',
      column: 'key',
      key: ['purpose'],
    },
  ],
}
