/** Retries dead mails that have the same cause, such as a failure of the mail server. */

import { isHostAdmin } from '../core/actor.ts'
import { recordAudit, recordTenantAudit } from '../core/audit/audit.ts'
import { type Context, hostTenantId, now } from '../core/context.ts'
import { defined } from '../core/defined.ts'
import { ServiceError } from '../core/errors.ts'
import { inCatalogue } from '../core/transaction.ts'
import { allMails } from './all-mails.ts'
import { requireMailServer } from './mail.ts'
import { maxRetriedMails, type RetriedMails, type RetryMailsInput } from './schema.ts'
import { noteMailsAfterCommit } from './send.ts'
import { lockRetriableMails, retryMailsNow } from './sql.ts'

/** @throws ServiceError `forbidden` for all tenants without the host's rights; `invalid` without a mail server */
export function retryMails(
  context: Context,
  { error, template, allTenants = false, limit = maxRetriedMails }: RetryMailsInput,
): Promise<RetriedMails> {
  if (allTenants && !isHostAdmin(context.actor)) throw new ServiceError('forbidden')
  return inCatalogue(context, async (inside) => {
    const { tenant } = inside
    requireMailServer(inside)
    const moment = now(inside)
    // One mail more than the limit is read, to learn whether some are left.
    const filter = defined({ error, template, retriableAt: moment, limit: limit + 1 })
    const found = await lockRetriableMails(allTenants ? allMails(inside) : inside.catalogue, filter)
    const mails = found.slice(0, limit)
    if (mails.length > 0) {
      const ids = mails.map(({ id }) => id)
      await retryMailsNow(allMails(inside), ids, moment)
      const detail = defined({ error, template, retried: mails.length })
      const entry = { action: 'mail.retried', subjectType: 'mail', subjectId: null, detail } as const
      if (allTenants) await recordAudit(inside, { ...entry, tenantId: hostTenantId })
      else await recordTenantAudit(inside, { ...entry, tenantId: tenant.id })
      noteMailsAfterCommit(inside, new Set(mails.map(({ tenant_id }) => tenant_id)), moment)
    }
    return { retried: mails.length, isComplete: found.length <= limit }
  })
}
