/** What is left of the sessions of a tenant that is erased. */
import { type Context, hostTenantId, now } from '../../core/context.ts'
import { resync } from '../../database/executor.ts'
import { memoryMs } from './revoked-sessions.ts'
import { refreshTokenMs } from './session.ts'
import { deleteCounts, endAllSessions } from './sql.ts'

/** No user has this id. */
const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * Inside a transaction, once nobody can sign in any more. Access tokens that may live stay refused by the ids of their
 * sessions, on every instance and after a start: also when the id of the tenant is used anew. No more of them is kept.
 */
export async function eraseSessions(inside: Context, tenantId: string): Promise<void> {
  const nowMs = inside.shared.clock().getTime()
  const expiryOfOld = new Date(nowMs - memoryMs + refreshTokenMs).toISOString()
  const whose = { tenant_id: hostTenantId, account_id: nobody }
  await endAllSessions(inside.catalogue, tenantId, whose, { expiryOfOld, moment: now(inside) })
  for (const policy of ['failure', 'wait']) await deleteCounts(inside.catalogue, `${policy}:${tenantId}:`)
  await inside.transaction?.announce(resync) // there may be many: they are read anew
}
