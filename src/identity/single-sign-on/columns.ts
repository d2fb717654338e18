/** The schemas of stored values of single sign-on. The import of an archive validates its rows with them. */
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
  clientAuthentication,
  assertionAudience,
  prompt,
  domainHint,
  attributeClaims,
} = SingleSignOnInput.properties
const options = Type.Object({
  scopes,
  createsUsers,
  defaultRoles,
  groupsClaim,
  groupRoles,
  sessionHours,
  attributeClaims,
  clientAuthentication,
  assertionAudience,
  prompt,
  domainHint,
})

/** SHA-256 in base64url (RFC 7638). */
const thumbprint = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })
/** A number of a key in base64url. */
const parameter = Type.String({ pattern: '^[A-Za-z0-9_-]{1,700}$' })
const [optional, curve] = [Type.Optional(parameter), Type.Literal('P-256')]
/** The members that RFC 7518 gives private keys. */
const privateJwk = Type.Union([
  Type.Object({ kty: Type.Literal('EC'), crv: curve, x: parameter, y: parameter, d: parameter }),
  Type.Object({
    kty: Type.Literal('RSA'),
    n: parameter,
    e: parameter,
    d: parameter,
    p: optional,
    q: optional,
    dp: optional,
    dq: optional,
    qi: optional,
  }),
])

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
    id: thumbprint,
    public_key: JsonText(ClientJwk),
    private_key: JsonText(privateJwk),
  },
}
