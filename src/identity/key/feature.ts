/** The keys that sign access tokens, and the documents by which other services verify these tokens. */
import { Type } from 'typebox'
import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { route } from '../../core/feature/route.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { Discovery, discovery } from './discovery.ts'
import { keyMigrations } from './migration.ts'
import { type SigningKeys, signingKeyPurpose } from './signing-keys.ts'

const jwksPath = '/.well-known/jwks.json'

export const keyAudit = {
  'key.rotated': 'A new key that signs tokens was published; the detail says from when it signs',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof keyAudit, string> {}
}

const JwkSet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String({ description: 'Key type (RFC 7517)', examples: ['EC'] }),
        crv: Type.String({ description: 'Curve (RFC 7518)', examples: ['P-256'] }),
        x: Type.String({
          description: 'First coordinate of the point, base64url',
          examples: ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'],
        }),
        y: Type.String({
          description: 'Second coordinate of the point, base64url',
          examples: ['x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'],
        }),
        kid: Type.String({
          description: 'Key id, as in the header of a token',
          examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'],
        }),
        alg: Type.String({ description: 'Signature algorithm', examples: ['ES256'] }),
        use: Type.String({ description: 'Use of the key: signatures', examples: ['sig'] }),
      }),
      {
        description:
          'The current key, the next one a day before it signs, and former keys whose tokens have not expired',
      },
    ),
  },
  { $id: 'JwkSet', description: 'A JSON Web Key Set (RFC 7517).' },
)

export function keyFeature(keys: SigningKeys, tokens: AccessTokens): Feature {
  const discovered = discovery(tokens, jwksPath)
  return {
    name: 'key',
    audited: keyAudit,
    migrations: keyMigrations,
    encrypted: [
      {
        purpose: signingKeyPurpose,
        database: 'catalogue',
        table: 'signing_key',
        column: 'private_key',
        key: ['id'],
      },
    ],
    routes: [
      route({
        method: 'GET',
        path: jwksPath,
        summary: 'Get the public keys that verify access tokens',
        description:
          'A JSON Web Key Set (RFC 7517). The header `kid` of a token names the key that signed it. A service that verifies tokens with these keys does not learn of ended sessions.',
        tag: 'Authentication',
        access: 'anonymous',
        database: 'catalogue',
        reply: JwkSet,
        handle: async () => ({ keys: await keys.published() }),
      }),
      route({
        method: 'GET',
        path: '/.well-known/openid-configuration',
        summary: 'Get what a verifier of access tokens needs',
        description:
          'The metadata of OpenID Connect Discovery 1.0 that verifiers read, such as API gateways. The service is no OpenID provider: it has no authorization endpoint.',
        tag: 'Authentication',
        access: 'anonymous',
        database: 'catalogue',
        reply: Discovery,
        handle: async () => discovered,
      }),
    ],
  }
}
