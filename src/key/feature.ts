import { Type } from 'typebox'
import type { Feature } from '../feature.ts'
import { route } from '../http/route.ts'
import { keyMigrations } from './migration.ts'
import { type SigningKeys, signingKeyPurpose } from './signing-keys.ts'

const JwkSet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.String({ examples: ['EC'] }),
        crv: Type.String({ examples: ['P-256'] }),
        x: Type.String({ examples: ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'] }),
        y: Type.String({ examples: ['x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'] }),
        kid: Type.String({ examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'] }),
        alg: Type.String({ examples: ['ES256'] }),
        use: Type.String({ examples: ['sig'] }),
      }),
    ),
  },
  { $id: 'JwkSet' },
)

export function keyFeature(keys: SigningKeys): Feature {
  return {
    name: 'key',
    migrations: keyMigrations,
    sealed: [
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
        path: '/.well-known/jwks.json',
        summary: 'Get the public keys that verify access tokens',
        tag: 'Authentication',
        access: 'anonymous',
        database: 'catalogue',
        status: 200,
        reply: JwkSet,
        handle: async () => ({ keys: await keys.published() }),
      }),
    ],
  }
}
