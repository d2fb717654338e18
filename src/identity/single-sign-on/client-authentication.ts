/** How the service authenticates at the token endpoint of a provider (RFC 6749, section 2.3.1; RFC 7523). */
import type { Static } from 'typebox'
import { StringEnum } from '../../core/schema/schema.ts'
import { importClientKey, type SigningClientKey } from './client-key/client-key.ts'

const ways = ['automatic', 'client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const

export const ClientAuthentication = StringEnum(ways, {
  description:
    'How the service authenticates at the provider: `automatic` by what the discovery document names, `private_key_jwt` with a key that the service makes, `none` for a public client, which has PKCE alone',
  examples: ['automatic'],
})

export const AssertionAudience = StringEnum(['issuer', 'token_endpoint'], {
  description: 'With `private_key_jwt`, whom the assertion is for (`aud`): some providers want another one',
  examples: ['issuer'],
})

export type ClientAuthentication = Static<typeof ClientAuthentication>
export type AssertionAudience = Static<typeof AssertionAudience>

export interface ClientCredentials {
  clientAuthentication: ClientAuthentication
  clientSecret: string
  /** The key that signs; `null` if the client authenticates in another way, or has no key yet. */
  clientKey: SigningClientKey | null
  assertionAudience: AssertionAudience
}

type Library = typeof import('openid-client')
type ClientAuth = import('openid-client').ClientAuth

export function hasSecret(way: ClientAuthentication): boolean {
  return way !== 'none' && way !== 'private_key_jwt'
}

/**
 * By default the client secret is sent in the header `Authorization`, which every provider has to support, or in
 * the body if the provider supports only that.
 */
export async function authentication(library: Library, credentials: ClientCredentials): Promise<ClientAuth> {
  const { clientAuthentication, clientSecret, clientKey } = credentials
  if (clientKey !== null) return assertion(library, clientKey, credentials)
  if (!hasSecret(clientAuthentication)) return library.None()
  const basic = library.ClientSecretBasic(clientSecret)
  const post = library.ClientSecretPost(clientSecret)
  if (clientAuthentication === 'client_secret_basic') return basic
  if (clientAuthentication === 'client_secret_post') return post
  return (server, client, body, headers) => {
    const known = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (known.includes('client_secret_basic') ? basic : post)(server, client, body, headers)
  }
}

/** The library writes `iss`, `sub`, a random `jti`, and an `exp` of 60 seconds. */
async function assertion(
  { PrivateKeyJwt, modifyAssertion }: Library,
  clientKey: SigningClientKey,
  { assertionAudience }: ClientCredentials,
): Promise<ClientAuth> {
  const key = { key: await importClientKey(clientKey), kid: clientKey.id }
  if (assertionAudience === 'issuer') return PrivateKeyJwt(key)
  return (server, client, body, headers) => {
    const modify = (_header: unknown, payload: Record<string, unknown>) => {
      payload['aud'] = server.token_endpoint
    }
    return PrivateKeyJwt(key, { [modifyAssertion]: modify })(server, client, body, headers)
  }
}
