/** Authenticates a request by its access token, its API key, or the token of a portal session. */
import type { Authenticator, CredentialSource } from '../core/authenticator.ts'
import type { Actor } from '../core/context.ts'
import { unauthorized } from '../core/errors.ts'
import type { ApiKeyAuthenticator } from './api-key/authenticator.ts'
import { keyPrefix } from './api-key/key-text.ts'
import type { SessionAuthenticator } from './session/authenticator.ts'

const scheme = 'bearer'

/** Bearer tokens that are recognized by their prefix. */
export interface PrefixedTokens {
  readonly prefix: string
  /** @throws ServiceError `unauthorized` */
  authenticate(text: string, request: CredentialSource): Actor | Promise<Actor>
}

export class CredentialAuthenticator implements Authenticator {
  readonly #sessions: SessionAuthenticator
  readonly #apiKeys: ApiKeyAuthenticator
  readonly #portals: PrefixedTokens

  constructor(sessions: SessionAuthenticator, apiKeys: ApiKeyAuthenticator, portals: PrefixedTokens) {
    this.#sessions = sessions
    this.#apiKeys = apiKeys
    this.#portals = portals
  }

  authenticate(request: CredentialSource): Actor | Promise<Actor> | null {
    const { authorization, 'x-api-key': given } = request.headers
    // The sender of a webhook may have a key of its own in this header.
    const apiKey = given?.toString().startsWith(keyPrefix) === true ? given : undefined
    const token = authorization === undefined ? null : bearerToken(authorization)
    if (apiKey !== undefined) {
      if (token !== null && token !== apiKey) throw unauthorized('twoCredentials')
      return this.#apiKeys.authenticate(String(apiKey), request)
    }
    if (token === null) return null
    if (token.startsWith(this.#portals.prefix)) return this.#portals.authenticate(token, request)
    return token.startsWith(keyPrefix)
      ? this.#apiKeys.authenticate(token, request)
      : this.#sessions.authenticate(token)
  }

  /** Refuses an actor whose session was ended. API keys and portal sessions are refused by `authenticate` already. */
  refuseEnded(actor: Actor): void {
    this.#sessions.refuseEnded(actor)
  }
}

/** The token of a bearer header: the scheme in any case, then one or more spaces (RFC 9110, section 11.4). */
function bearerToken(authorization: string): string {
  const [given = '', token, ...rest] = authorization.trim().split(/ +/)
  if (given.toLowerCase() !== scheme) throw unauthorized('otherScheme')
  if (token === undefined || rest.length > 0) throw unauthorized('malformedToken')
  return token
}
