/** The schemas of stored preferences. The import of an archive validates its rows with them. */
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'
import { PreferenceName } from './schema.ts'

export const preferenceColumns: ColumnSchemas = {
  preference: { name: PreferenceName, value: JsonText(), version: Count },
}
