/** Access tokens: JWTs (RFC 7519), signed with the current key and verified as RFC 8725 requires. */

import { type decodeJwt, jwtVerify, SignJWT } from 'jose'
import type { Actor, Impersonator } from '../../core/context.ts'
import { unauthorized } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { LruMap } from '../../database/lru-map.ts'
import { errorCode } from '../../database/thrown.ts'
import { type SigningKeys, signingAlgorithm } from '../key/signing-keys.ts'
import type { RoleDirectory } from '../role/directory.ts'
import type { UserDirectory } from '../user/directory.ts'

export const accessTokenSeconds = 15 * 60
/** The life of a token with which an administrator acts as a user, which cannot be renewed. */
export const maxAccessTokenSeconds = 60 * 60

/** The claims of every token, and `act` of a token with which an administrator acts as a user. */
export const accessTokenClaims = [
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  ...['name', 'email', 'roles', 'TenantId', 'sid', 'act'],
] as const

const audience = 'tenantry'
/** Tokens from an instance whose clock is ahead by up to this are accepted. */
const toleranceSeconds = 5
/** The most cached tokens: verifying a token takes as long as about a hundred look-ups. */
const maxVerified = 20_000
/** Longer than any issued token. Longer input is refused at once. */
const maxTokenLength = 4096

export interface TokenSubject
  extends Omit<Actor, 'credential' | 'permissions' | 'attributes' | 'impersonator'> {
  email: string
  sessionId: string
  impersonator?: Impersonator
}

interface VerifiedToken {
  actor: Actor
  expiresAtMs: number
}

export class AccessTokens {
  /** The claim `iss`: the public address of the service. */
  readonly issuer: string
  readonly #keys: SigningKeys
  readonly #clock: () => Date
  readonly #roles: RoleDirectory
  readonly #known: UserDirectory
  readonly #verified = new LruMap<string, VerifiedToken>(maxVerified)

  constructor(
    keys: SigningKeys,
    issuer: string,
    clock: () => Date,
    { roles, known }: { roles: RoleDirectory; known: UserDirectory },
  ) {
    this.#roles = roles
    this.#known = known
    this.#keys = keys
    this.issuer = issuer
    this.#clock = clock
  }

  async issue(
    subject: TokenSubject,
    validSeconds = accessTokenSeconds,
  ): Promise<{ token: string; expiresAt: string }> {
    const { id, key } = await this.#keys.signer()
    const issuedAt = Math.floor(this.#clock().getTime() / 1000)
    const { impersonator } = subject
    const expires = issuedAt + validSeconds
    const token = await new SignJWT({
      name: subject.userName,
      email: subject.email,
      roles: subject.roles,
      TenantId: subject.tenantId,
      sid: subject.sessionId,
      ...(impersonator && { act: { sub: impersonator.id, name: impersonator.userName } }), // RFC 8693, section 4.1
    })
      .setProtectedHeader({ alg: signingAlgorithm, kid: id, typ: 'JWT' })
      .setSubject(subject.id)
      .setJti(newId())
      .setIssuer(this.issuer)
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(expires)
      .sign(key)
    return { token, expiresAt: new Date(expires * 1000).toISOString() }
  }

  /** Returns without a promise for a cached token. @throws ServiceError `unauthorized` */
  verify(token: string): Actor | Promise<Actor> {
    const known = this.#verified.peek(token)
    if (known === undefined) return this.#verifyNew(token)
    if (known.expiresAtMs > this.#clock().getTime()) return known.actor
    this.#verified.delete(token)
    throw unauthorized('tokenExpired')
  }

  async #verifyNew(token: string): Promise<Actor> {
    if (token.length > maxTokenLength) throw unauthorized('foreignToken')
    try {
      const { payload } = await jwtVerify(token, (header) => this.#keyFor(header.kid), {
        algorithms: [signingAlgorithm],
        issuer: this.issuer,
        audience,
        requiredClaims: ['sub', 'sid', 'TenantId', 'name', 'roles', 'exp', 'iat'],
        currentDate: this.#clock(),
        clockTolerance: toleranceSeconds,
      })
      if (Number(payload.exp) * 1000 <= this.#clock().getTime()) throw unauthorized('tokenExpired')
      const actor = this.#toActor(payload)
      this.#verified.set(token, { actor, expiresAtMs: Number(payload.exp) * 1000 })
      return actor
    } catch (error) {
      if (!errorCode(error).startsWith('ERR_J')) throw error
      // An expired token is genuine: the signature is checked first.
      throw errorCode(error) === 'ERR_JWT_EXPIRED'
        ? unauthorized('tokenExpired')
        : unauthorized('foreignToken', error)
    }
  }

  async #keyFor(id: string | undefined) {
    const key = await this.#keys.verifier(id ?? '')
    if (key === null) throw unauthorized('foreignToken')
    return key
  }

  /**
   * The claims are trusted, because the service has signed them. Permissions and attributes are looked up at each
   * question, so that a cached actor has the present ones.
   */
  #toActor(payload: ReturnType<typeof decodeJwt>): Actor {
    const tenantId = String(payload['TenantId'])
    const roles = Array.isArray(payload['roles']) ? payload['roles'].map(String) : []
    return {
      id: String(payload.sub),
      userName: String(payload['name']),
      tenantId,
      credential: { kind: 'session', sessionId: String(payload['sid']) },
      roles,
      permissions: this.#roles.permissionsOf(tenantId, roles),
      attributes: this.#known.attributesOf(String(payload.sub)),
      impersonator: impersonatorOf(payload['act']),
    }
  }
}

function impersonatorOf(act: unknown): Impersonator | null {
  if (typeof act !== 'object' || act === null || !('sub' in act) || !('name' in act)) return null
  return { id: String(act.sub), userName: String(act.name) }
}
