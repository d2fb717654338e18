import type { Actor } from './context.ts'

/**
 * The interface between the server and authentication: the server passes the credentials of a request and gets an
 * actor.
 */

/** The parts of a request that show who calls. */
export interface CredentialSource {
  readonly headers: {
    readonly [name: string]: string | string[] | undefined
    readonly authorization?: string | undefined
  }
  /** The address of the client. */
  readonly ip: string
}

/**
 * Finds the actor of a credential, such as a token or an API key. Only implementations know the kinds of
 * credentials.
 */
export interface Authenticator {
  /**
   * Returns without waiting for a cached credential, which is the usual case.
   * @returns `null` without a credential
   * @throws ServiceError `unauthorized`, `forbidden`
   */
  authenticate(request: CredentialSource): Actor | Promise<Actor> | null
  /** @throws ServiceError `unauthorized` if the actor's credential was revoked before it expired */
  refuseEnded(actor: Actor): void
}

/** The parts of an earlier request by which a long-lived connection authenticates its caller again. */
export function credentialsOf({ headers, ip }: CredentialSource): CredentialSource {
  return { headers: { authorization: headers.authorization, 'x-api-key': headers['x-api-key'] }, ip }
}
