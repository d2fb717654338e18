/** The schemas of stored settings. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'

const anyObject = Type.Object({}, { additionalProperties: true })

export const tenantSettingColumns: ColumnSchemas = {
  tenant_setting: { content: JsonText(anyObject), version: Count },
}
