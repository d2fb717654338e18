/** How gateways and other services find the keys that verify access tokens. */
import { type Static, Type } from 'typebox'
import { type AccessTokens, accessTokenClaims } from '../session/access-token.ts'
import { signingAlgorithm } from './signing-keys.ts'

export const Discovery = Type.Object(
  {
    issuer: Type.String({
      description: 'The claim `iss` of the access tokens: the setting `BASE_URL`',
      examples: ['https://app.example.com'],
    }),
    jwks_uri: Type.String({
      description: 'Address of the public keys',
      examples: ['https://app.example.com/.well-known/jwks.json'],
    }),
    response_types_supported: Type.Array(Type.String(), {
      description: 'Required by the standard. Nobody asks for a response: there is no authorization endpoint',
      examples: [['id_token']],
    }),
    subject_types_supported: Type.Array(Type.String(), {
      description: 'A user has the same `sub` for every reader of the tokens',
      examples: [['public']],
    }),
    id_token_signing_alg_values_supported: Type.Array(Type.String(), {
      description: 'Algorithms that sign the access tokens',
      examples: [['ES256']],
    }),
    claims_supported: Type.Array(Type.String(), {
      description: 'Claims of the access tokens',
      examples: [['sub', 'TenantId', 'roles']],
    }),
  },
  {
    $id: 'Discovery',
    description: 'What a verifier of access tokens reads (OpenID Connect Discovery 1.0, section 3).',
  },
)

/** @param jwksPath of the public keys */
export function discovery({ issuer }: AccessTokens, jwksPath: string): Static<typeof Discovery> {
  return {
    issuer,
    jwks_uri: `${issuer}${jwksPath}`,
    // The standard requires this member. There are no endpoints: the service is no OpenID provider.
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    claims_supported: [...accessTokenClaims],
  }
}
