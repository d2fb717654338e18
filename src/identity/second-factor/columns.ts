import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, Sha256 } from '../../core/schema/stored.ts'

export const secondFactorColumns: ColumnSchemas = {
  totp: { state: Type.Enum(['begun', 'active']), last_step: Count },
  recovery_code: { hash: Sha256 },
  wrong_code: { count: Count },
}
