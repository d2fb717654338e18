/** Requests to the OpenID Connect providers of tenants. */

import { isDeepStrictEqual } from 'node:util'
import type { Configuration, CustomFetchOptions } from 'openid-client'
import type { Context } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import type { AddressGuard } from '../../core/outgoing/address-guard.ts'
import { guardedFetch, OutgoingFailure } from '../../core/outgoing/guarded-fetch.ts'
import type { AddressPolicy } from '../../core/outgoing/ip-address.ts'
import { findUrlFault } from '../../core/outgoing/url.ts'
import { LruMap } from '../../database/lru-map.ts'
import { GuessLimiter } from '../api-key/guess-limiter.ts'
import { codeChallengeOf } from '../code-challenge.ts'
import { type Claims, claimAt } from './claims.ts'
import { authentication, type ClientCredentials } from './client-authentication.ts'
import { verifySignature } from './id-token.ts'
import { type RemoteKeys, remoteKeys, verifiedClaims } from './logout-token.ts'
import { ProviderFailure, providerAnswer } from './provider-failure.ts'
import { ProviderLimiter } from './provider-limiter.ts'
import type { StateSecrets } from './state.ts'

/** The settings that requests to a tenant's provider need. */
export interface ProviderSettings extends ClientCredentials {
  tenantId: string
  /** Grows whenever an administrator sets the provider. After a removal it begins at 1 again. */
  version: number
  issuer: string
  clientId: string
}

/** The parameters of a sign-in at the provider. */
export interface SignInRequest {
  redirectUri: string
  scopes: readonly string[]
  state: string
  loginHint: string | undefined
  prompt: string | null
  domainHint: string | null
}

const limits = { timeoutMs: 10_000, maxBytes: 256 * 1024 }
/** Discovery documents are cached for this time, failed discoveries for a shorter time. */
const cachedMs = 10 * 60_000
const failureCachedMs = 10_000
/** The most tenants whose discovery is cached. */
const maxCached = 1000
const clockToleranceSeconds = 30
/** Providers, and proxies before them, refuse longer addresses. */
const maxAddressLength = 1999

interface CachedDiscovery {
  configuration: Promise<Configuration>
  /** With others, or a later version of the same, the discovery is made again. */
  settings: ProviderSettings
  /** A time of `performance.now`. */
  untilMs: number
}

export interface ProviderAnswer {
  /** The claims of the ID token. */
  claims: Claims
  /** The user information (OpenID Connect Core, section 5.3). It is requested only if the ID token lacks claims. */
  userInfo: Claims
  idToken: string
}

export class Providers {
  readonly #guard: AddressGuard
  readonly #policy: AddressPolicy
  /** By the id of the tenant. */
  readonly #discoveries = new LruMap<string, CachedDiscovery>(maxCached)
  /** The keys with which a provider signs. Each discovery has its own: the settings may change during a request. */
  readonly #keys = new WeakMap<Configuration, RemoteKeys>()
  /** Limits the requests to providers that strangers can begin. */
  readonly limiter = new ProviderLimiter()
  /** Limits callbacks that sign nobody in: each causes reads, and with a valid state a row and a request. */
  readonly callbackGuesses = new GuessLimiter()

  constructor(guard: AddressGuard, policy: AddressPolicy) {
    this.#guard = guard
    this.#policy = policy
  }

  /** @returns why the address of an issuer is not accepted; `null` if it is accepted */
  faultOf(issuer: string): string | null {
    return findUrlFault(issuer, this.#policy)
  }

  /**
   * Reads the discovery document now.
   * @returns the issuer as the document writes it, and the algorithms for assertions of clients, if it lists them
   * @throws ProviderFailure
   */
  async check(
    settings: ProviderSettings,
    clock: () => Date,
  ): Promise<{ issuer: string; assertionAlgorithms: readonly string[] | null }> {
    const { issuer, token_endpoint_auth_signing_alg_values_supported: algorithms = null } = (
      await this.#discover(settings, clock)
    ).serverMetadata()
    return { issuer, assertionAlgorithms: algorithms }
  }

  /**
   * @returns the address at which the user signs in
   * @throws ProviderFailure; ServiceError as `limiter`, for a discovery
   */
  async authorizationUrl(
    context: Context,
    settings: ProviderSettings,
    request: SignInRequest,
    { nonce, codeVerifier }: StateSecrets,
  ): Promise<URL> {
    const { buildAuthorizationUrl } = await library()
    const acquire = () => this.limiter.acquire(context, 'discovery')
    const configuration = await this.#configurationOf(settings, context.shared.clock, acquire)
    const { redirectUri, scopes, state, loginHint, prompt, domainHint } = request
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: [...new Set(['openid', ...scopes])].join(' '),
      state,
      nonce,
      code_challenge: codeChallengeOf(codeVerifier),
      code_challenge_method: 'S256',
      ...(loginHint !== undefined && { login_hint: loginHint }),
      ...(prompt !== null && { prompt }),
      ...(domainHint !== null && { domain_hint: domainHint }),
    })
    const fault = this.faultOf(url.href)
    if (fault !== null) throw new ProviderFailure(`The provider’s authorization endpoint ${fault}.`)
    return url
  }

  /**
   * Exchanges the code of a callback, and verifies the ID token: signature, issuer, audience, nonce, times.
   * @param callback the address of the callback with its parameters
   * @param wanted claims that are needed: if the ID token lacks one, the user information is requested
   * @throws ProviderFailure
   */
  async exchange(
    context: Context,
    settings: ProviderSettings,
    { callback, state, wanted }: { callback: URL; state: string; wanted: readonly string[] },
    { nonce, codeVerifier }: StateSecrets,
  ): Promise<ProviderAnswer> {
    const { authorizationCodeGrant, fetchUserInfo } = await library()
    const configuration = await this.#configurationOf(settings, context.shared.clock)
    return providerAnswer(async () => {
      const checks = { pkceCodeVerifier: codeVerifier, expectedNonce: nonce, expectedState: state }
      const tokens = await authorizationCodeGrant(configuration, callback, {
        ...checks,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new ProviderFailure('The provider has sent no ID token.')
      const idToken = tokens.id_token ?? ''
      await verifySignature(idToken, this.#keysOf(configuration))
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      const isComplete = wanted.every((path) => claimAt([claims], path) !== undefined)
      if (isComplete || !hasUserInfo) return { claims, userInfo: {}, idToken }
      const userInfo = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return { claims, userInfo, idToken }
    })
  }

  /**
   * The address at which the user signs out (OpenID Connect RP-Initiated Logout 1.0).
   * @returns `null` for a provider without such an address
   * @throws ProviderFailure
   */
  async endSessionUrl(
    context: Context,
    settings: ProviderSettings,
    { redirectUri, state, idToken }: { redirectUri: string; state: string; idToken: string },
  ): Promise<URL | null> {
    const { buildEndSessionUrl } = await library()
    const configuration = await this.#configurationOf(settings, context.shared.clock)
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null
    const url = buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: redirectUri,
      state,
      ...(idToken !== '' && { id_token_hint: idToken }),
    })
    // The hint is recommended only (section 2): without it, the provider knows the client by its id.
    if (url.href.length > maxAddressLength) url.searchParams.delete('id_token_hint')
    const fault = this.faultOf(url.href)
    if (fault !== null) throw new ProviderFailure(`The provider’s address to sign out ${fault}.`)
    return url
  }

  /**
   * Verifies a logout token: signature, issuer, audience, times. `readLogout` checks its content.
   * @throws ProviderFailure; ServiceError as `limiter`
   */
  async verifyLogoutToken(
    context: Context,
    settings: ProviderSettings,
    token: string,
  ): Promise<Record<string, unknown>> {
    return this.limiter.run(context, 'signOut', async () => {
      const configuration = await this.#configurationOf(settings, context.shared.clock)
      return providerAnswer(() =>
        verifiedClaims(token, this.#keysOf(configuration), {
          issuer: configuration.serverMetadata().issuer,
          audience: settings.clientId,
          currentDate: context.shared.clock(),
        }),
      )
    })
  }

  #keysOf(configuration: Configuration): RemoteKeys {
    const known = this.#keys.get(configuration)
    if (known !== undefined) return known
    const address = configuration.serverMetadata().jwks_uri
    if (address === undefined) throw new ProviderFailure('The provider publishes no keys.')
    const keys = remoteKeys(address, (url, headers) => this.#fetch(url, { method: 'GET', headers }))
    this.#keys.set(configuration, keys)
    return keys
  }

  /**
   * Reads the discovery document, or returns the cached one. Simultaneous sign-ins share one discovery, and a
   * failed one is repeated only after a while.
   * @param acquire takes a permit for a discovery, and returns its release. If it throws, nothing is cached.
   */
  #configurationOf(
    settings: ProviderSettings,
    clock: () => Date,
    acquire: () => () => void = () => () => undefined,
  ): Promise<Configuration> {
    const known = this.#discoveries.peek(settings.tenantId)
    const isCurrent = isDeepStrictEqual(known?.settings, settings)
    if (known !== undefined && isCurrent && known.untilMs > performance.now()) return known.configuration
    const release = acquire()
    const configuration = this.#discover(settings, clock)
    const entry: CachedDiscovery = { configuration, settings, untilMs: performance.now() + cachedMs }
    this.#discoveries.set(settings.tenantId, entry)
    configuration.then(release, () => {
      release()
      entry.untilMs = performance.now() + failureCachedMs
    })
    return configuration
  }

  async #discover(settings: ProviderSettings, clock: () => Date): Promise<Configuration> {
    const fault = this.faultOf(settings.issuer)
    if (fault !== null) throw new ProviderFailure(`The issuer ${fault}.`)
    const openId = await library()
    const { allowInsecureRequests, clockSkew, clockTolerance, customFetch } = openId
    const issuer = new URL(settings.issuer)
    const send = (url: string, request: CustomFetchOptions): Promise<Response> => this.#fetch(url, request)
    const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : []
    const metadata = {
      ...(settings.clientSecret !== '' && { client_secret: settings.clientSecret }),
      [clockSkew]: Math.round((clock().getTime() - Date.now()) / 1000),
      [clockTolerance]: clockToleranceSeconds,
    }
    const options = { execute, timeout: limits.timeoutMs / 1000, [customFetch]: send }
    const clientAuth = await authentication(openId, settings)
    return providerAnswer(() => openId.discovery(issuer, settings.clientId, metadata, clientAuth, options))
  }

  /** Sends a request to an address that a provider names, which is checked like that of the issuer. */
  async #fetch(
    address: string,
    { method, headers, body }: Pick<CustomFetchOptions, 'method' | 'headers'> & { body?: unknown },
  ): Promise<Response> {
    const fault = findUrlFault(address, this.#policy)
    if (fault !== null) throw new OutgoingFailure(`An address of the provider ${fault}.`)
    const text = body === null || body === undefined ? undefined : String(body)
    const request = defined({ method, headers, body: text })
    const response = await guardedFetch(this.#guard, new URL(address), request, limits)
    return new Response(nullBody.has(response.status) ? null : response.body, {
      status: response.status,
      headers: { ...response.headers },
    })
  }
}

/** The statuses with which `Response` accepts no body. */
const nullBody: ReadonlySet<number> = new Set([204, 205, 304])

type Library = typeof import('openid-client')

/** Loads the library when it is first needed: most services never need it. */
function library(): Promise<Library> {
  return import('openid-client')
}
