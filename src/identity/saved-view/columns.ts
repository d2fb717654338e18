/** The schemas of stored values of views. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'
import { View, ViewContent } from './schema.ts'

const { name, entity, sharedWith, roles, isDefaultFor } = View.properties

export const savedViewColumns: ColumnSchemas = {
  saved_view: {
    name,
    entity,
    content: JsonText(ViewContent),
    shared_with: Type.Enum(sharedWith.enum),
    roles: JsonText(roles),
    default_for: JsonText(isDefaultFor),
    version: Count,
  },
}
