/** Ends sessions, and remembers ended sessions whose access tokens have not expired yet. */

import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, hostTenantId, now } from '../../core/context.ts'
import { reaching } from '../../core/create-context.ts'
import { installation } from '../../core/installation.ts'
import type { InstallationData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { maxAccessTokenSeconds } from './access-token.ts'
import {
  liveImpersonations,
  liveImpersonationsBy,
  liveSessionsOf,
  revokeSessionRow,
  revokeSessionRowsOfTenant,
  type SessionRow,
  sessionsRevokedSince,
} from './sql.ts'

/**
 * How long revoked sessions are kept in memory: longer than their access tokens are valid. Measured by the monotonic
 * clock, because a change of the system clock could drop sessions too early.
 */
export const revocationKeptMs = (maxAccessTokenSeconds + 60) * 1000

export class RevokedSessions {
  readonly #catalogue: InstallationData
  readonly #clock: () => Date
  /** When this instance learned of each revocation. */
  readonly #learnedAtMs = new Map<string, number>()

  constructor(catalogue: InstallationData, clock: () => Date) {
    this.#catalogue = catalogue
    this.#clock = clock
  }

  has(sessionId: string): boolean {
    return this.#learnedAtMs.has(sessionId)
  }

  /** Reads sessions that were revoked before this instance listened for changes. @throws DatabaseUnavailable */
  async load(): Promise<void> {
    const since = new Date(this.#clock().getTime() - revocationKeptMs).toISOString()
    const nowMs = performance.now()
    for (const id of await sessionsRevokedSince(this.#catalogue, since)) this.#learnedAtMs.set(id, nowMs)
  }

  /** Resolves when the change is applied. */
  async invalidate(change: string): Promise<void> {
    if (change === resync) return this.load()
    if (!change.startsWith(sessionChangePrefix)) return
    this.#removeOld()
    this.#learnedAtMs.set(change.slice(sessionChangePrefix.length), performance.now())
  }

  /** The map keeps the order of insertion, the oldest first. */
  #removeOld(): void {
    const oldest = performance.now() - revocationKeptMs
    for (const [id, learnedAtMs] of this.#learnedAtMs) {
      if (learnedAtMs > oldest) return
      this.#learnedAtMs.delete(id)
    }
  }
}

/** The prefix of the announcement that a session has ended. The session id follows. */
export const sessionChangePrefix = 'session:'

/** Ends the session, inside a transaction. Every instance refuses its access tokens within a second. */
export async function revokeSession(inside: Context, sessionId: string): Promise<void> {
  const ended = await revokeSessionRow(inside.catalogue, sessionId, now(inside))
  if (ended === null) return
  await inside.transaction?.announce(`${sessionChangePrefix}${sessionId}`)
  await recordEndOfImpersonation(inside, ended)
}

/** Ends the sessions in which administrators of the host act as users of the context's tenant, inside a transaction. */
export async function revokeImpersonations(inside: Context): Promise<void> {
  const sessions = await liveImpersonations(inside.catalogue, now(inside))
  // Locks in one order, so that two transactions that end the same sessions do not deadlock.
  for (const id of sessions.toSorted()) await revokeSession(inside, id)
}

/**
 * Records the end for the tenant and for the host. The entry of the host names no
 * user, because it outlives the tenant.
 */
async function recordEndOfImpersonation(inside: Context, session: SessionRow): Promise<void> {
  const { id: sessionId, account_id: userId, tenant_id: tenantId } = session
  const { impersonator_id: id, impersonator_name: userName } = session
  if (id === null || userName === null) return
  const entry = { action: 'user.impersonationEnded', subjectType: 'user', subjectId: userId } as const
  await recordAudit(inside, { ...entry, tenantId, detail: { sessionId, impersonatorName: userName } })
  if (tenantId === hostTenantId) return
  const detail = { sessionId, tenantId }
  await recordAudit(inside, { ...entry, tenantId: hostTenantId, detail, actor: { id, userName } })
}

/**
 * Ends all sessions of the user, inside a transaction, also those in which the user acts as another user.
 * @param exceptId a session that stays, or `null`
 */
export async function revokeSessionsOf(
  inside: Context,
  accountId: string,
  exceptId: string | null = null,
): Promise<void> {
  const own = await liveSessionsOf(inside.catalogue.ofUser(accountId), now(inside))
  const sessions = [
    ...own.map(({ id }) => ({ id, context: inside })),
    ...(await impersonationsBy(inside, accountId)),
  ]
  // Locks in one order, so that two transactions that end the same sessions do not deadlock.
  for (const { id, context } of sessions.toSorted(byId)) {
    if (id !== exceptId) await revokeSession(context, id)
  }
}

/** The sessions in which the user acts as another user, which only administrators of the host may do. */
async function impersonationsBy(
  inside: Context,
  accountId: string,
): Promise<{ id: string; context: Context }[]> {
  if (inside.catalogueTenantId !== hostTenantId) return []
  const everywhere = installation(inside, 'an administrator of the host acts as users of every tenant')
  const sessions = await liveImpersonationsBy(everywhere, accountId, now(inside))
  return sessions.map(({ id, tenantId }) => ({ id, context: reaching(inside, everywhere, tenantId) }))
}

function byId({ id }: { id: string }, other: { id: string }): number {
  return id < other.id ? -1 : 1
}

/** Ends the sessions of all users of the tenant, inside a transaction. */
export async function revokeSessionsOfTenant(inside: Context): Promise<void> {
  if ((await revokeSessionRowsOfTenant(inside.catalogue, now(inside))) > 0) {
    await inside.transaction?.announce(resync) // one announcement for many sessions: every instance reads them again
  }
}
