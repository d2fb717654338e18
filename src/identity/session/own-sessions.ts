/** Lists the sessions of a user and ends them: by the user, or by an administrator. */

import { sessionOf } from '../../core/actor.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { refusal } from '../../core/errors.ts'
import { isUuid } from '../../core/id.ts'
import { type ListKey, type Page, type PageRequest, pageOf } from '../../core/page.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { isTimestamp } from '../../database/date.ts'
import { refuseHigherUser } from '../role/grant.ts'
import { reachUser } from '../user/reach.ts'
import type { User } from '../user/schema.ts'
import { signedIn } from '../user/signed-in.ts'
import { getUser } from '../user/user.ts'
import { deviceOf } from './device.ts'
import { revokeSession } from './revocation.ts'
import type { Session } from './schema.ts'
import { findSessionOf, liveSessionsOf, type SessionRow } from './sql.ts'

type Owner = Pick<User, 'id' | 'tenantId'>

/** The live sessions of the actor, the last used first. */
export function listOwnSessions(context: Context, request: PageRequest): Promise<Page<Session>> {
  return listSessions(atHome(context), signedIn(context).id, request)
}

/** @throws ServiceError `notFound`, also for the session of another user */
export function endOwnSession(context: Context, id: string): Promise<void> {
  return endSession(atHome(context), signedIn(context), id)
}

/** Ends all sessions of the actor but the current one. */
export function endOtherSessions(context: Context): Promise<void> {
  const actor = signedIn(context)
  return endSessions(atHome(context), actor, sessionOf(actor))
}

/** @throws ServiceError `notFound`, also for a user of another tenant; `forbidden` for a user who may do more */
export async function listSessionsOfUser(
  context: Context,
  userId: string,
  request: PageRequest,
): Promise<Page<Session>> {
  const inTenantOfUser = await reachUser(context, userId)
  const user = await reachableUser(inTenantOfUser, userId)
  return listSessions(inTenantOfUser, user.id, request)
}

/** @throws ServiceError like `listSessionsOfUser` */
export async function endSessionOfUser(context: Context, userId: string, id: string): Promise<void> {
  const inTenantOfUser = await reachUser(context, userId)
  await endSession(inTenantOfUser, await reachableUser(inTenantOfUser, userId), id)
}

/** @throws ServiceError like `listSessionsOfUser` */
export async function endSessionsOfUser(context: Context, userId: string): Promise<void> {
  const inTenantOfUser = await reachUser(context, userId)
  const { actor } = inTenantOfUser
  await endSessions(inTenantOfUser, await reachableUser(inTenantOfUser, userId), actor && sessionOf(actor))
}

/** @throws ServiceError `notFound`; `forbidden` for a user who may do more than the actor */
async function reachableUser(context: Context, id: string): Promise<User> {
  const user = await getUser(context, id)
  await refuseHigherUser(context, user)
  return user
}

async function listSessions(context: Context, userId: string, request: PageRequest): Promise<Page<Session>> {
  const current = context.actor && sessionOf(context.actor)
  const rows = await liveSessionsOf(context.catalogue.ofUser(userId), now(context))
  const sessions = rows.map((row) => toSession(row, current))
  return pageOf(sessions, sessionKey, request)
}

const sessionKey: ListKey<Session> = {
  of: ({ lastUsedAt, id }) => `${lastUsedAt} ${id}`,
  accepts: (text) => {
    const [moment = '', id = ''] = text.split(' ', 2)
    return isTimestamp(moment) && isUuid(id)
  },
  isDescending: true,
}

async function endSession(context: Context, owner: Owner, id: string): Promise<void> {
  await inCatalogue(context, async (inside) => {
    const row = await findSessionOf(inside.catalogue.ofUser(owner.id), id)
    if (row === null || !isLive(row, now(inside))) throw refusal('noSuch', { label: 'session' })
    await end(inside, owner, id)
  })
}

async function endSessions(context: Context, owner: Owner, exceptId: string | null): Promise<void> {
  await inCatalogue(context, async (inside) => {
    const rows = await liveSessionsOf(inside.catalogue.ofUser(owner.id), now(inside))
    // Locks in one order, so that two requests that end the same sessions do not deadlock.
    for (const id of rows.map((row) => row.id).toSorted()) {
      if (id !== exceptId) await end(inside, owner, id)
    }
  })
}

async function end(inside: Context, { id: userId, tenantId }: Owner, sessionId: string): Promise<void> {
  await revokeSession(inside, sessionId)
  const subject = { subjectType: 'session', subjectId: sessionId }
  await recordAudit(inside, { action: 'session.ended', tenantId, ...subject, detail: { userId } })
}

function isLive({ revoked_at: revokedAt, expires_at: expiresAt }: SessionRow, moment: string): boolean {
  return revokedAt === null && expiresAt > moment
}

function toSession(row: SessionRow, current: string | null): Session {
  return {
    id: row.id,
    device: deviceOf(row.user_agent),
    place: row.client_address,
    methods: row.methods.split(' ').filter((method) => method !== ''),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    isCurrent: row.id === current,
    impersonatorName: row.impersonator_name,
  }
}
