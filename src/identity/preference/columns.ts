import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'
import { PreferenceName } from './schema.ts'

export const preferenceColumns: ColumnSchemas = {
  preference: { name: PreferenceName, value: JsonText(), version: Count },
}
