/** Requests to the OpenID Connect providers of tenants. */

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

/** How a tenant's provider is reached. */
export interface ProviderSettings extends ClientCredentials {
  tenantId: string
  /** The version of the settings, which grows with each change. */
  version: number
  issuer: string
  clientId: string
}

/** What a sign-in asks of the provider. */
export interface SignInRequest {
  redirectUri: string
  scopes: readonly string[]
  state: string
  loginHint: string | undefined
  prompt: string | null
  domainHint: string | null
}

const limits = { timeoutMs: 10_000, maxBytes: 256 * 1024 }
/** Discovery documents are read again after this time, failed ones earlier. */
const keptMs = 10 * 60_000
const failureKeptMs = 10_000
const maxKept = 1000
const clockToleranceSeconds = 30
/** Providers, and proxies before them, refuse longer addresses. */
const maxAddressLength = 1999

interface Known {
  configuration: Promise<Configuration>
  version: number
  clientKeyId: string | null
  /** A time of `performance.now`. */
  untilMs: number
  /** The keys with which the provider signs. */
  keys?: RemoteKeys
}

export interface ProviderAnswer {
  /** The claims of the ID token. */
  claims: Claims
  /** The user information (OpenID Connect Core, section 5.3), which is asked for what the ID token lacks. */
  userInfo: Claims
  idToken: string
}

export class Providers {
  readonly #guard: AddressGuard
  readonly #policy: AddressPolicy
  readonly #known = new LruMap<string, Known>(maxKept)
  /** Limits the requests to providers that strangers can begin. */
  readonly limiter = new ProviderLimiter()
  /** Returns that sign nobody in: each costs a few reads, and with a state of its own a row and a request. */
  readonly callbackGuesses = new GuessLimiter()

  constructor(guard: AddressGuard, policy: AddressPolicy) {
    this.#guard = guard
    this.#policy = policy
  }

  /** @returns why an issuer is not accepted as written; `null` for one that is */
  faultOf(issuer: string): string | null {
    return findUrlFault(issuer, this.#policy)
  }

  /**
   * Reads the discovery document now.
   * @returns the issuer as the document writes it, and how assertions of clients may be signed, if it says that
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

  /** The address at which the user signs in. @throws ProviderFailure; ServiceError as `limiter`, for a discovery */
  async authorizationUrl(
    context: Context,
    settings: ProviderSettings,
    request: SignInRequest,
    { nonce, codeVerifier }: StateSecrets,
  ): Promise<URL> {
    const { buildAuthorizationUrl } = await library()
    const take = () => this.limiter.acquire(context, 'discovery')
    const configuration = await this.#configurationOf(settings, context.shared.clock, take)
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
   * @param wanted claims for which the user information is asked if the ID token lacks one
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
      await verifySignature(idToken, this.#keysOf(settings, configuration))
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      const isComplete = wanted.every((path) => claimAt([claims], path) !== undefined)
      if (isComplete || !hasUserInfo) return { claims, userInfo: {}, idToken }
      const userInfo = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return { claims, userInfo, idToken }
    })
  }

  /**
   * Where the user signs out (OpenID Connect RP-Initiated Logout 1.0).
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
   * Verifies a logout token: signature, issuer, audience, times. What it says is checked by `readLogout`.
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
        verifiedClaims(token, this.#keysOf(settings, configuration), {
          issuer: configuration.serverMetadata().issuer,
          audience: settings.clientId,
          currentDate: context.shared.clock(),
        }),
      )
    })
  }

  /** The keys are those of the discovery that is known, and are read again with it. */
  #keysOf({ tenantId }: ProviderSettings, configuration: Configuration): RemoteKeys {
    const known = this.#known.peek(tenantId)
    if (known?.keys !== undefined) return known.keys
    const address = configuration.serverMetadata().jwks_uri
    if (address === undefined) throw new ProviderFailure('The provider publishes no keys.')
    const keys = remoteKeys(address, (url, headers) => this.#fetch(url, { method: 'GET', headers }))
    if (known !== undefined) known.keys = keys
    return keys
  }

  /**
   * Simultaneous sign-ins share one discovery. A failed one is repeated after a while only.
   * @param take a place of whoever begins a discovery without having one; a refusal is not kept
   */
  #configurationOf(
    settings: ProviderSettings,
    clock: () => Date,
    take: () => () => void = () => () => undefined,
  ): Promise<Configuration> {
    const known = this.#known.peek(settings.tenantId)
    const clientKeyId = settings.clientKey?.id ?? null
    const isPresent = known?.version === settings.version && known.clientKeyId === clientKeyId
    if (known !== undefined && isPresent && known.untilMs > performance.now()) return known.configuration
    const leave = take()
    const configuration = this.#discover(settings, clock)
    const { version } = settings
    const entry: Known = { configuration, version, clientKeyId, untilMs: performance.now() + keptMs }
    this.#known.set(settings.tenantId, entry)
    configuration.then(leave, () => {
      leave()
      entry.untilMs = performance.now() + failureKeptMs
    })
    return configuration
  }

  async #discover(settings: ProviderSettings, clock: () => Date): Promise<Configuration> {
    const fault = this.faultOf(settings.issuer)
    if (fault !== null) throw new ProviderFailure(`The issuer ${fault}.`)
    const openId = await library()
    const { allowInsecureRequests, clockSkew, clockTolerance, customFetch } = openId
    const issuer = new URL(settings.issuer)
    const ask = (url: string, asked: CustomFetchOptions): Promise<Response> => this.#fetch(url, asked)
    const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : []
    const metadata = {
      ...(settings.clientSecret !== '' && { client_secret: settings.clientSecret }),
      [clockSkew]: Math.round((clock().getTime() - Date.now()) / 1000),
      [clockTolerance]: clockToleranceSeconds,
    }
    const options = { execute, timeout: limits.timeoutMs / 1000, [customFetch]: ask }
    const clientAuth = await authentication(openId, settings)
    return providerAnswer(() => openId.discovery(issuer, settings.clientId, metadata, clientAuth, options))
  }

  /** Requests an address that a provider names. It is guarded like the issuer. */
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

const nullBody: ReadonlySet<number> = new Set([204, 205, 304])

type Library = typeof import('openid-client')

/** Loads the library when it is first needed: most services never need it. */
function library(): Promise<Library> {
  return import('openid-client')
}
