/** The schemas of stored values of second factors. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, Sha256 } from '../../core/schema/stored.ts'
import { secretBytes } from './authenticator-app.ts'

export const secondFactorColumns: ColumnSchemas = {
  totp: {
    state: Type.Enum(['begun', 'active']),
    secret: Type.String({ pattern: `^[A-Z2-7]{${(secretBytes * 8) / 5}}$` }),
    last_step: Count,
  },
  recovery_code: { hash: Sha256 },
  wrong_code: { count: Count },
}
