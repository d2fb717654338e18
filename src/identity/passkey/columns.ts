/** The schemas of stored values of passkeys. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count } from '../../core/schema/stored.ts'
import { credentialId, PasskeyName } from './schema.ts'

const base64url = Type.String({ maxLength: 8192, pattern: '^[A-Za-z0-9_-]+$' })

export const passkeyColumns: ColumnSchemas = {
  passkey: {
    credential_id: credentialId,
    public_key: base64url,
    counter: Count,
    transports: Type.String({ maxLength: 250, pattern: '^[a-z -]*$' }),
    name: PasskeyName.properties.name,
  },
}
