/**
 * Authenticates portal sessions by their tokens. A tenant embeds the pages of webhooks in its own application for its
 * customers, by such a session. Sessions are cached, because a page sends many requests.
 */
import { hash, randomBytes } from 'node:crypto'
import { noAttributes } from '../../core/attributes.ts'
import type { CredentialSource } from '../../core/authenticator.ts'
import type { Actor } from '../../core/context.ts'
import { unauthorized } from '../../core/errors.ts'
import { isUuid } from '../../core/id.ts'
import { clientNetwork } from '../../core/network.ts'
import type { Permission } from '../../core/permission.ts'
import type { InstallationData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { GuessLimiter } from '../../identity/api-key/guess-limiter.ts'
import { findLiveMaker, type Maker } from '../../identity/maker.ts'
import { findByDigest, findPortalSession, type PortalSessionRow } from './sql.ts'

const tokenPrefix = 'tnt_portal_'
/** 32 random bytes are 43 characters of base64url. */
const wellFormed = new RegExp(`^${tokenPrefix}[\\w-]{43}$`)
const maxCached = 5000

/** Makes a token of 256 random bits. */
export function newPortalToken(): string {
  return `${tokenPrefix}${randomBytes(32).toString('base64url')}`
}

export function digestOf(token: string): string {
  return hash('sha256', token, 'hex')
}

/** The announcement to all instances that a session was ended. @param digest of its token */
export function portalChange(digest: string): string {
  return `portal:${digest}`
}

/** What a session may do. */
export function portalPermissions(isReadOnly: boolean): Permission[] {
  return isReadOnly ? ['webhook:read'] : ['webhook:read', 'webhook:write', 'event:read']
}

interface KnownSession {
  actor: Actor
  expiresAtMs: number
  /**
   * The announcements that end it: that of the session itself, and that of the login
   * session or API key that made it.
   */
  endedBy: readonly string[]
}

export class PortalDirectory {
  readonly prefix = tokenPrefix
  readonly #catalogue: InstallationData
  readonly #clock: () => Date
  readonly #guesses = new GuessLimiter()
  readonly #sessions = new Map<string, KnownSession>()
  /** Grows with each announced change: a session that was read before the change is not cached. */
  #generation = 0

  constructor(catalogue: InstallationData, clock: () => Date) {
    this.#catalogue = catalogue
    this.#clock = clock
  }

  /** @throws ServiceError `unauthorized`; `tooManyRequests` for a client that has tried many tokens */
  async authenticate(token: string, { ip }: CredentialSource): Promise<Actor> {
    if (!wellFormed.test(token)) throw unauthorized('portalSessionEnded')
    const digest = digestOf(token)
    const session = this.#sessions.get(digest) ?? (await this.#load(digest, clientNetwork(ip)))
    if (session === null || session.expiresAtMs <= this.#clock().getTime())
      throw unauthorized('portalSessionEnded')
    return session.actor
  }

  /** @returns the origins whose pages may embed the session; none for a session that does not exist */
  async originsOf(id: string): Promise<readonly string[]> {
    const row = isUuid(id) ? await findPortalSession(this.#catalogue, id) : null
    return row === null ? [] : (JSON.parse(row.origins) as string[]) // written from a validated list
  }

  /** Removes the sessions that a change ends. @param change the announcement of another instance or of this one */
  invalidate(change: string): void {
    this.#generation++
    if (change === resync)
      this.#sessions.clear() // announcements may have been lost
    else {
      for (const [digest, { endedBy }] of this.#sessions)
        if (endedBy.includes(change)) this.#sessions.delete(digest)
    }
  }

  async #load(digest: string, network: string): Promise<KnownSession | null> {
    const uncount = this.#guesses.count(network)
    const generation = this.#generation
    let row: PortalSessionRow | null | undefined
    try {
      row = await findByDigest(this.#catalogue, digest)
    } finally {
      if (row !== null) uncount() // only a wrong token counts as a guess
    }
    return row === null ? null : this.#withMaker(row, generation)
  }

  /** Adds the owner of what made the session. @param generation its value before the row was read */
  async #withMaker(row: PortalSessionRow, generation: number): Promise<KnownSession | null> {
    const kind = row.maker_kind as Maker['kind'] // written from a `Maker`
    const maker = await findLiveMaker(this.#catalogue, { kind, id: row.maker_id })
    if (maker === null) return null
    const session = {
      actor: actorOf(row, maker.owner),
      expiresAtMs: Math.min(Date.parse(row.expires_at), maker.expiresAtMs),
      endedBy: [portalChange(row.digest), maker.endedBy],
    }
    if (generation !== this.#generation) return session
    if (this.#sessions.size >= maxCached) this.#sessions.clear()
    this.#sessions.set(row.digest, session)
    return session
  }
}

function actorOf(row: PortalSessionRow, owner: string): Actor {
  return {
    id: row.id,
    userName: `portal:${row.customer ?? '*'}`, // a session without a customer is for all of them
    tenantId: row.tenant_id,
    credential: {
      kind: 'portal',
      customer: row.customer,
      owner,
      events: row.events === null ? null : (JSON.parse(row.events) as string[]), // written from a validated list
    },
    roles: [],
    permissions: new Set(portalPermissions(row.is_read_only)),
    attributes: noAttributes,
    impersonator: null,
  }
}
