/** A real OpenID Connect provider on this machine, whose users sign in without being asked. */
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Adapter, AdapterPayload, Provider } from 'oidc-provider'

export const clientId = 'tenantry'
export const clientSecret = 'a secret of the client'

type Library = typeof import('oidc-provider')

/** In seconds. */
const hour = 3600

export interface IdentityProvider {
  issuer: string
  /** The claims of users by subject. */
  users: Map<string, Record<string, unknown>>
  /** Who signs in next; `null` cancels. */
  next: string | null
  /** How often its discovery document was read. */
  discoveries: number
  /** Adds a client of another kind, as a provider with registration does. */
  addClient(id: string, metadata: Record<string, unknown>): void
  close(): Promise<void>
}

interface ProviderOptions {
  /** Where it signs users out. */
  logoutUri?: string
  /** Claims that the ID token has; the others are in the user information alone. */
  idTokenClaims?: readonly string[]
}

/** @param baseUrl the public address of the service */
export async function startIdentityProvider(
  baseUrl: string,
  options: ProviderOptions = {},
): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  const kept = new Map<string, AdapterPayload>()
  const addresses = { redirect_uris: [`${baseUrl}/api/auth/sso/callback`] }
  const running: IdentityProvider = {
    issuer,
    users: new Map(),
    next: null,
    discoveries: 0,
    addClient: (id, metadata) => void kept.set(`Client ${id}`, { client_id: id, ...addresses, ...metadata }),
    close: () => close(server),
  }
  const provider = createProvider(running, kept, await newKey(), { baseUrl, ...options })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/.well-known/') === true) running.discoveries++
    if (request.url?.startsWith('/interaction/') !== true) return void answer(request, response)
    const { next } = running
    const cancelled = { error: 'access_denied', error_description: 'cancelled' }
    const result = next === null ? cancelled : { login: { accountId: next } }
    provider.interactionFinished(request, response, result).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  return running
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return exportJWK(privateKey)
}

/** It is loaded when the first test needs it. Its index would warn of a Node.js without long-term support yet. */
function loadProvider(): Library['Provider'] {
  const { Provider: loaded }: Library = createRequire(import.meta.url)('oidc-provider/lib/provider.js')
  return loaded
}

function createProvider(
  running: IdentityProvider,
  kept: Map<string, AdapterPayload>,
  key: JWK,
  { baseUrl, logoutUri, idTokenClaims = ['groups'] }: ProviderOptions & { baseUrl: string },
): Provider {
  const Loaded = loadProvider()
  return new Loaded(running.issuer, {
    adapter: (kind) => memory(kept, kind),
    jwks: { keys: [key] },
    ttl: { AccessToken: hour, Grant: hour, IdToken: hour, Interaction: hour, Session: hour },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${baseUrl}/api/auth/sso/callback`],
        post_logout_redirect_uris: [`${baseUrl}/api/auth/sso/signed-out`],
        ...(logoutUri !== undefined && {
          backchannel_logout_uri: logoutUri,
          backchannel_logout_session_required: true,
        }),
      },
    ],
    claims: {
      openid: ['sub', ...idTokenClaims],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username', 'groups', 'realm_access'],
    },
    cookies: { keys: ['a key'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = form
        },
      },
    },
    // Its own would refuse to reach this machine.
    fetch: (url, options) => {
      const own = { ...options }
      Reflect.deleteProperty(own, 'dispatcher')
      return fetch(url, own)
    },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ ...running.users.get(id), sub: id }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const { client, provider, session } = oidc
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
  })
}

/** The provider's own memory would warn that it is none to keep things in. */
function memory(kept: Map<string, AdapterPayload>, kind: string): Adapter {
  return {
    upsert: async (id, payload) => void kept.set(`${kind} ${id}`, payload),
    find: async (id) => kept.get(`${kind} ${id}`),
    findByUid: async (uid) => [...kept.values()].find((each) => each.kind === kind && each.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const payload = kept.get(`${kind} ${id}`)
      if (payload !== undefined) payload.consumed = true
    },
    destroy: async (id) => void kept.delete(`${kind} ${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [name, payload] of kept) if (payload.grantId === grantId) kept.delete(name)
    },
  }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
