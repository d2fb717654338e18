import { type Static, Type } from 'typebox'
import { StringEnum, Timestamp } from '../../../core/schema/schema.ts'

export const ClientKeyAlgorithm = StringEnum(['ES256', 'RS256'], {
  description: 'How the key signs (RFC 7518)',
  examples: ['ES256'],
})

const part = (description: string) => Type.Optional(Type.String({ description, examples: ['1eLdmW…'] }))

export const ClientJwk = Type.Object(
  {
    kty: Type.String({ description: '`EC` or `RSA`', examples: ['EC'] }),
    kid: Type.String({ description: 'The id of the key', examples: ['4SLNmZ…'] }),
    use: Type.String({ description: 'Always `sig`: the key signs', examples: ['sig'] }),
    alg: ClientKeyAlgorithm,
    crv: Type.Optional(Type.String({ description: 'The curve of an EC key', examples: ['P-256'] })),
    x: part('Of an EC key'),
    y: part('Of an EC key'),
    n: part('Of an RSA key'),
    e: part('Of an RSA key'),
  },
  { $id: 'ClientJwk', description: 'A public key (RFC 7517).' },
)

export const ClientJwks = Type.Object(
  {
    keys: Type.Array(ClientJwk, {
      description: 'The key that signs, and the next one before it does',
    }),
  },
  {
    $id: 'ClientJwks',
    description: 'The public keys with which a provider verifies that it is the service that asks.',
  },
)

export const ClientKey = Type.Object(
  {
    id: Type.String({ description: 'The `kid`, which is the thumbprint (RFC 7638)', examples: ['4SLNmZ…'] }),
    isSigning: Type.Boolean({ description: 'Whether the service signs with it; the next key waits' }),
    publicKey: ClientJwk,
    createdAt: Timestamp,
  },
  { $id: 'ClientKey', description: 'A key with which the service authenticates at the provider.' },
)

export const ClientKeyInput = Type.Object(
  {
    algorithm: Type.Optional({
      ...ClientKeyAlgorithm,
      description: 'By default that of the key that signs; without one `RS256`, which every provider knows',
    }),
  },
  { $id: 'ClientKeyInput', description: 'A key to make.' },
)

export type ClientKeyAlgorithm = Static<typeof ClientKeyAlgorithm>
export type ClientJwk = Static<typeof ClientJwk>
export type ClientKey = Static<typeof ClientKey>
export type ClientKeyInput = Static<typeof ClientKeyInput>
