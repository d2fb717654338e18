/** Counts mails that were not sent in all tenants, by their template, and retries them. All are in the catalogue. */

import type { AuditAction } from '../../core/audit/action.ts'
import type { Context } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import { invalidField } from '../../core/errors.ts'
import { isUuid } from '../../core/id.ts'
import { placeAfter } from '../../core/page.ts'
import type { Database } from '../../database/executor.ts'
import { requireMailServer } from '../../mail/mail.ts'
import { countDeadMailsByTemplate, type DeadMails, retryDeadMails } from '../../mail/retry-dead.ts'
import { DeadGroups, deadKey, maxGroups } from './groups.ts'
import { beginRetry, deactivated, type Retried, type RetryRequest } from './retry-run.ts'

const requested: AuditAction = 'deadMails.retryRequested'

interface DeadMailParts {
  /** The database of the catalogue. */
  database: Database
  clock: () => Date
}

/** The maximum number of mails in one transaction, so that others can write in between. */
const perTransaction = 500

export function deadMails({ database, clock }: DeadMailParts): DeadGroups<DeadMails> {
  return new DeadGroups<DeadMails>({
    clock,
    count: () => countDeadMailsByTemplate(database, clock().toISOString(), maxGroups),
    key: deadKey({ count: 'mails', name: 'template' }),
  })
}

/**
 * Retries the oldest first, so that a mail that fails again in the meantime is not retried twice.
 * @param request whose `group` is a template
 * @throws ServiceError like `beginRetry`; `invalid` without a mail server, and for a cursor of other work
 */
export async function retryAllDeadMails(context: Context, request: RetryRequest): Promise<Retried> {
  requireMailServer(context)
  const { group: template } = request
  const run = await beginRetry(context, request, { action: requested, detail: defined({ template }) })
  for (;;) {
    const limit = Math.min(perTransaction, run.remaining)
    if (limit === 0) {
      run.interrupt()
      break
    }
    const { groups, passedOver, last } = await retryDeadMails(context, {
      ...defined({ tenantId: run.tenantId, template }),
      after: placeIn(run.after),
      limit,
    })
    for (const { tenantId, template: name, count } of groups) run.add(tenantId, name, count)
    for (const tenantId of passedOver) run.fail(tenantId, deactivated)
    if (last === null) break
    run.after = last
  }
  return run.report
}

function placeIn(after: string): string {
  if (after !== '' && !isUuid(after))
    throw invalidField('cursor', 'is not a cursor of this list', 'badCursor')
  return placeAfter(after)
}
