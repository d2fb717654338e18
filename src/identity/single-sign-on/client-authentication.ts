/** How the service authenticates at the token endpoint of a provider (RFC 6749, section 2.3.1). */
import { type Static, Type } from 'typebox'

export const ClientAuthentication = Type.Unsafe<
  'automatic' | 'client_secret_basic' | 'client_secret_post' | 'none'
>({
  type: 'string',
  enum: ['automatic', 'client_secret_basic', 'client_secret_post', 'none'],
  description:
    'How the service authenticates at the provider: `automatic` by what the discovery document names, `none` for a public client, which has PKCE alone',
  examples: ['automatic'],
})

export type ClientAuthentication = Static<typeof ClientAuthentication>

type Library = typeof import('openid-client')

/** By default the header of HTTP, which every provider has to know, or the body for one that names no other. */
export function authentication(
  { ClientSecretBasic, ClientSecretPost, None }: Library,
  {
    clientAuthentication,
    clientSecret,
  }: { clientAuthentication: ClientAuthentication; clientSecret: string },
) {
  if (clientAuthentication === 'none') return None()
  const basic = ClientSecretBasic(clientSecret)
  const post = ClientSecretPost(clientSecret)
  if (clientAuthentication === 'client_secret_basic') return basic
  if (clientAuthentication === 'client_secret_post') return post
  const choose: typeof basic = (server, client, body, headers) => {
    const known = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (known.includes('client_secret_basic') ? basic : post)(server, client, body, headers)
  }
  return choose
}
