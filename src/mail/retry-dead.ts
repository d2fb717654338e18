/** Retries dead mails of many tenants for the operator, in batches, the oldest first. */

import { recordAudit } from '../core/audit/audit.ts'
import { type Context, now } from '../core/context.ts'
import { defined } from '../core/defined.ts'
import { lookUpTenant } from '../core/tenant/directory.ts'
import { inCatalogue } from '../core/transaction.ts'
import type { Database } from '../database/executor.ts'
import { allMails } from './all-mails.ts'
import { requireMailServer } from './mail.ts'
import { noteMailsAfterCommit } from './send.ts'
import { countDeadMails, lockRetriableMails, type RetriableMail, retryMailsNow } from './sql.ts'

/** The number of dead mails of a template. It names neither recipients nor content. */
export interface DeadMails {
  tenantId: string
  template: string
  mails: number
  /** How many of them can be retried: their content is still stored and has not expired. */
  retriable: number
}

/** @param database of the catalogue @returns the templates with the most dead mails */
export async function countDeadMailsByTemplate(
  database: Database,
  moment: string,
  groups: number,
): Promise<DeadMails[]> {
  const rows = await countDeadMails(allMails(database.executor), moment, groups)
  return rows.map(({ tenant_id: tenantId, template, count, retriable }) => ({
    tenantId,
    template,
    mails: Number(count),
    retriable: Number(retriable),
  }))
}

export interface MailBatch {
  tenantId?: string
  template?: string
  /** The id of the last mail of the batch before; empty for the first. */
  after: string
  limit: number
}

export interface RetriedBatch {
  groups: { tenantId: string; template: string; count: number }[]
  /** Tenants whose mails were not retried, because they are deactivated or being erased. */
  passedOver: string[]
  /** The id of the last mail; `null` if none is left. */
  last: string | null
}

/** Retries a batch in one transaction. @throws ServiceError `invalid` without a mail server */
export function retryDeadMails(
  context: Context,
  { tenantId, template, after, limit }: MailBatch,
): Promise<RetriedBatch> {
  return inCatalogue(context, async (inside) => {
    requireMailServer(inside)
    const moment = now(inside)
    const all = allMails(inside)
    const filter = defined({ template, after: after || undefined, retriableAt: moment, limit })
    const found = await lockRetriableMails(tenantId === undefined ? all : all.ofTenant(tenantId), filter)
    const { mails, passedOver } = await ofActiveTenants(inside, found)
    if (mails.length > 0) await retryMailsNow(all, idsOf(mails), moment)
    const groups = groupsOf(mails)
    for (const group of groups) await record(inside, group)
    noteMailsAfterCommit(inside, new Set(mails.map(({ tenant_id }) => tenant_id)), moment)
    return { groups, passedOver, last: found.length < limit ? null : (found.at(-1)?.id ?? null) }
  })
}

const idsOf = (mails: readonly RetriableMail[]) => mails.map(({ id }) => id)

async function ofActiveTenants(
  inside: Context,
  found: readonly RetriableMail[],
): Promise<{ mails: RetriableMail[]; passedOver: string[] }> {
  const passedOver = new Set<string>()
  for (const id of new Set(found.map(({ tenant_id }) => tenant_id))) {
    const tenant = await lookUpTenant(inside, id)
    if (tenant === null || !tenant.isActive || tenant.isBeingErased) passedOver.add(id)
  }
  return { mails: found.filter(({ tenant_id }) => !passedOver.has(tenant_id)), passedOver: [...passedOver] }
}

function groupsOf(mails: readonly RetriableMail[]): RetriedBatch['groups'] {
  const groups = new Map<string, RetriedBatch['groups'][number]>()
  for (const { tenant_id: tenantId, template } of mails) {
    const group = groups.get(`${tenantId}/${template}`) ?? { tenantId, template, count: 0 }
    group.count++
    groups.set(`${tenantId}/${template}`, group)
  }
  return [...groups.values()]
}

async function record(
  inside: Context,
  { tenantId, template, count: mails }: RetriedBatch['groups'][number],
): Promise<void> {
  await recordAudit(inside, {
    action: 'deadMails.retried',
    tenantId,
    subjectType: 'mail',
    subjectId: null,
    detail: { template, mails },
  })
}
