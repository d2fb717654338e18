import type { Feature } from '../../core/feature/feature.ts'
import { oneTimeTokenMigrations } from './migration.ts'
import { removeExpiredTokens } from './one-time-token.ts'

export const oneTimeTokenFeature: Feature = {
  name: 'one-time-token',
  migrations: oneTimeTokenMigrations,
  jobs: [removeExpiredTokens],
}
