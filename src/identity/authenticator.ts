/** Authenticates a request by its access token or its API key. */
import type { Authenticator, CredentialSource } from '../core/authenticator.ts'
import type { Actor } from '../core/context.ts'
import { unauthorized } from '../core/errors.ts'
import type { ApiKeyAuthenticator } from './api-key/authenticator.ts'
import { keyPrefix } from './api-key/key-text.ts'
import type { SessionAuthenticator } from './session/authenticator.ts'

const scheme = 'bearer '

export class CredentialAuthenticator implements Authenticator {
  readonly #sessions: SessionAuthenticator
  readonly #apiKeys: ApiKeyAuthenticator

  constructor(sessions: SessionAuthenticator, apiKeys: ApiKeyAuthenticator) {
    this.#sessions = sessions
    this.#apiKeys = apiKeys
  }

  authenticate(request: CredentialSource): Actor | Promise<Actor> | null {
    const { authorization, 'x-api-key': given } = request.headers
    // A provider of webhooks may send a key of its own.
    const apiKey = given?.toString().startsWith(keyPrefix) === true ? given : undefined
    const token = authorization === undefined ? null : bearerToken(authorization)
    if (apiKey !== undefined) {
      if (token !== null && token !== apiKey) throw unauthorized('twoCredentials')
      return this.#apiKeys.authenticate(String(apiKey), request)
    }
    if (token === null) return null
    return token.startsWith(keyPrefix)
      ? this.#apiKeys.authenticate(token, request)
      : this.#sessions.authenticate(token)
  }

  /** An API key that was revoked is refused by `authenticate` already. */
  refuseEnded(actor: Actor): void {
    this.#sessions.refuseEnded(actor)
  }
}

/** The token of a bearer header (RFC 6750). */
function bearerToken(authorization: string): string {
  const token = authorization.slice(scheme.length)
  if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) {
    throw unauthorized(authorization.trim().toLowerCase() === scheme.trim() ? 'malformed' : 'otherScheme')
  }
  if (token === '' || token.includes(' ')) throw unauthorized('malformed')
  return token
}
