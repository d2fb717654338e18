/** The schemas of stored values of users. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import { StoredAttributes } from '../../core/attributes.ts'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'
import { roleNames } from '../role/columns.ts'
import { UserInput } from './schema.ts'

const { userName, email, firstName, lastName } = UserInput.properties

export const userColumns: ColumnSchemas = {
  account: {
    user_name: userName,
    email,
    first_name: firstName,
    last_name: lastName,
    phone_number: Type.String({ maxLength: 50 }),
    roles: roleNames,
    attributes: JsonText(StoredAttributes),
    version: Count,
  },
}
