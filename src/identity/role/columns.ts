/** The schemas of stored values of roles. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'
import { RoleInput, RoleName } from './schema.ts'

const { permissions } = RoleInput.properties
const word = '[A-Za-z][A-Za-z0-9_-]{0,49}'

/** The names of roles, joined by spaces, as the rows of users have them. */
export const roleNames = Type.String({
  pattern: `^(${word}( ${word}){0,19})?$`,
  'x-reason': 'must be names of roles',
})

export const roleColumns: ColumnSchemas = {
  role: {
    name: RoleName,
    description: Type.String({ maxLength: 500 }),
    permissions: JsonText(permissions),
    version: Count,
  },
}
