import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'
import { ClientJwk } from './client-key/schema.ts'
import { DomainInput, SingleSignOnInput } from './schema.ts'

const {
  issuer,
  clientId,
  clientSecret,
  scopes,
  createsUsers,
  defaultRoles,
  groupsClaim,
  groupRoles,
  sessionHours,
} = SingleSignOnInput.properties
const { clientAuthentication, assertionAudience, prompt, domainHint } = SingleSignOnInput.properties
const options = Type.Object({
  ...{ scopes, createsUsers, defaultRoles, groupsClaim, groupRoles, sessionHours },
  ...{ clientAuthentication, assertionAudience, prompt, domainHint },
})

export const singleSignOnColumns: ColumnSchemas = {
  identity_provider: {
    issuer,
    client_id: clientId,
    client_secret: clientSecret,
    options: JsonText(options),
    version: Count,
  },
  proven_domain: { domain: DomainInput.properties.domain, proof: Type.String({ maxLength: 200 }) },
  provider_identity: { issuer },
  provider_client_key: {
    id: Type.String({ maxLength: 100 }),
    public_key: JsonText(ClientJwk),
  },
}
