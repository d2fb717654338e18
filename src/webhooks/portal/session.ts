/**
 * Portal sessions: the application of a tenant makes one for a customer, to embed the pages of webhooks. A session is
 * short, and ends with the login session or the API key that made it.
 */
import type { AuditAction } from '../../core/audit/action.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { refusal, type ServiceError } from '../../core/errors.ts'
import { expiryJob } from '../../core/expiry.ts'
import { newId } from '../../core/id.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { makerOf } from '../../identity/maker.ts'
import { refuseGranting } from '../../identity/role/grant.ts'
import { digestOf, newPortalToken, portalChange, portalPermissions } from './directory.ts'
import { portalSessions } from './readable.ts'
import type { CreatedPortalSession, PortalSession, PortalSessionInput } from './schema.ts'
import {
  countLiveSessions,
  deletePortalSession,
  expiringSessions,
  insertPortalSession,
  type PortalSessionRow,
} from './sql.ts'

const defaultMinutes = 15
const minuteMs = 60_000
/** The most open sessions of a tenant. */
const maxLiveSessions = 10_000

/**
 * @returns the session with its address, which is not shown again
 * @throws ServiceError `forbidden` for what the caller may not do itself; `invalid` when the tenant has too many
 */
export function createPortalSession(
  context: Context,
  input: PortalSessionInput,
  baseUrl: string,
): Promise<CreatedPortalSession> {
  const { customer = null, events, readOnly = true, origins, minutes = defaultMinutes } = input
  const maker = makerOf(context)
  refuseGranting(context, portalPermissions(readOnly))
  return inCatalogue(context, async (inside) => {
    const { id: tenantId } = inside.tenant
    const moment = now(inside)
    if ((await countLiveSessions(inside.catalogue, moment)) >= maxLiveSessions)
      throw refusal('tooManyPortalSessions', { limit: maxLiveSessions })
    const token = newPortalToken()
    // `null` permits the events of every user. A customer gets only events that are named.
    const allowed = events ?? (customer === null ? null : [])
    const row: PortalSessionRow = {
      id: newId(),
      tenant_id: tenantId,
      digest: digestOf(token),
      customer,
      events: allowed === null ? null : JSON.stringify(allowed),
      is_read_only: readOnly,
      origins: JSON.stringify(origins),
      maker_kind: maker.kind,
      maker_id: maker.id,
      created_at: moment,
      expires_at: new Date(Date.parse(moment) + minutes * minuteMs).toISOString(),
    }
    await insertPortalSession(inside.catalogue, row)
    await audit(inside, 'portalSession.created', row, {
      customer,
      events: allowed,
      readOnly,
      origins,
      minutes,
    })
    return {
      ...(await portalSessions.show(inside, row.id)),
      url: `${baseUrl}/console/embed/${row.id}#token=${token}`,
    }
  })
}

/** @returns the portal session of the caller @throws ServiceError `notFound` for a caller of another kind */
export async function currentPortalSession(context: Context): Promise<PortalSession> {
  const { actor } = context
  if (actor?.credential.kind !== 'portal') throw noSuchSession()
  return portalSessions.show(context, actor.id)
}

/** Every instance refuses the token of the session within a second. @throws ServiceError `notFound` */
export function endPortalSession(context: Context, id: string): Promise<void> {
  return inCatalogue(context, async (inside) => {
    const row = await deletePortalSession(inside.catalogue, id)
    if (row === null) throw noSuchSession()
    await inside.transaction?.announce(portalChange(row.digest))
    await audit(inside, 'portalSession.ended', row, { customer: row.customer })
  })
}

export const removeExpiredPortalSessions = expiryJob({
  what: 'portal sessions',
  keptMs: 24 * 60 * minuteMs, // their addresses still tell their pages that the session is over
  rows: expiringSessions,
})

function audit(
  inside: Context,
  action: AuditAction,
  { id, tenant_id: tenantId }: PortalSessionRow,
  detail: Record<string, unknown>,
): Promise<void> {
  return recordAudit(inside, { action, tenantId, subjectType: 'portalSession', subjectId: id, detail })
}

function noSuchSession(): ServiceError {
  return refusal('noSuch', { label: 'portal session' })
}
