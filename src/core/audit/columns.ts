import { Type } from 'typebox'
import type { ColumnSchemas } from '../feature/stored-table.ts'
import { JsonText } from '../schema/stored.ts'

/** The forms of the audit's columns, against which the rows of an imported archive are validated. */
const columns = {
  action: Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_.-]+$' }),
  subject_type: Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_.-]+$' }),
  detail: JsonText(Type.Object({}, { additionalProperties: true })),
}

export const auditColumns: ColumnSchemas = { audit: columns, tenant_audit: columns }
