/** How many mails strangers can cause. Counted by the stored mails, for all instances together. */
import { type Context, hostTenantId, type Tenant } from '../../core/context.ts'
import { mailboxOf } from '../../core/mail-address.ts'
import type { MailSettings } from '../../core/mail-settings.ts'
import { clientNetwork } from '../../core/network.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { lockForMailbox } from '../../database/tenant-lock.ts'
import { allMails, ownMails } from '../all-mails.ts'
import { countLimitedMails } from './sql.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Which mails to a mailbox count together: those of all tenants, or those of one. */
export type BudgetScope = 'allTenants' | 'tenant'

/**
 * Inside a transaction of the catalogue: whether another mail of the template may be sent. Each template has its own
 * budget, so that sign-ups with the address of a user leave the mail of a forgotten password alone. Until the transaction
 * ends, no other one counts mails to the mailbox; a tenant may exceed its budget by those that are counted at once.
 */
export async function mailBudget(
  inside: Context,
  { template, to, scope }: { template: string; to: string; scope: BudgetScope },
): Promise<boolean> {
  const { perAddress, perTenant } = inside.shared.mails
  const mailboxKey = mailboxOf(to)
  if (!(await isWithinQuotas(inside, template)) || !(await leavesHalf(inside, template))) return false
  await lockMailbox(inside, to)
  const since = hourAgo(inside)
  const mails = { mailboxKey, template, since, limit: perAddress }
  const among = scope === 'tenant' ? ownMails(inside) : allMails(inside)
  if ((await countLimitedMails(among, mails)) >= perAddress) return false
  return (await countLimitedMails(ownMails(inside), { template, since, limit: perTenant })) < perTenant
}

/** Until the transaction ends, no other one adds limited mails to the mailbox. */
export async function lockMailbox({ transaction }: Context, to: string): Promise<void> {
  if (transaction === null) throw new Error('Mails were counted outside a transaction.')
  await lockForMailbox(transaction, mailboxOf(to))
}

/**
 * Inside a transaction of the catalogue that has locked the user: whether another notice of the template may be sent to
 * the address. Further ones would tell nothing new, and a tenant can have users with addresses of strangers.
 */
export async function noticeBudget(inside: Context, template: string, to: string): Promise<boolean> {
  const { perAddress: limit } = inside.shared.mails
  if (!(await isWithinQuotas(inside, template))) return false
  const mails = { mailboxKey: mailboxOf(to), template, since: hourAgo(inside), limit }
  return (await countLimitedMails(ownMails(inside), mails)) < limit
}

/**
 * The quotas of a day: of the client's network, which may be that of many tenants; of the template in a new tenant; and of
 * the installation, whose domain is the sender of all.
 */
async function isWithinQuotas(inside: Context, template: string): Promise<boolean> {
  const { clientAddress, shared, tenant } = inside
  const { perNetworkPerDay, perDay } = shared.mails
  const nowMs = shared.clock().getTime()
  const since = new Date(nowMs - dayMs).toISOString()
  const network = clientAddress === null ? null : clientNetwork(clientAddress)
  const isFull = async (limit: number, of: { network?: string } = {}) =>
    (await countLimitedMails(allMails(inside), { ...of, since, limit })) >= limit
  if (network !== null && (await isFull(perNetworkPerDay, { network }))) return false
  const quota = quotaOf(shared.mails, tenant, nowMs)
  if (quota !== null) {
    if ((await countLimitedMails(ownMails(inside), { template, since, limit: quota })) >= quota) return false
  }
  return !(await isFull(perDay))
}

/** Strangers of one network cause half of what a new tenant may send in a day: the rest is left to its users. */
async function leavesHalf(inside: Context, template: string): Promise<boolean> {
  const { actor, clientAddress, shared, tenant } = inside
  const nowMs = shared.clock().getTime()
  const quota = quotaOf(shared.mails, tenant, nowMs)
  if (quota === null || actor !== null || clientAddress === null) return true
  const since = new Date(nowMs - dayMs).toISOString()
  const limit = Math.ceil(quota / 2)
  const network = clientNetwork(clientAddress)
  return (await countLimitedMails(ownMails(inside), { network, template, since, limit })) < limit
}

/**
 * Strangers who sign up can make many tenants. A new one may send few mails, and twice as many each day.
 * @returns `null` for no quota
 */
function quotaOf(
  { newTenantPerDay, perTenant, trustedTenants }: MailSettings,
  { id, createdAt }: Pick<Tenant, 'id' | 'createdAt'>,
  nowMs: number,
): number | null {
  if (id === hostTenantId || trustedTenants.has(foldTenantId(id))) return null
  const days = Math.max(0, Math.floor((nowMs - Date.parse(createdAt)) / dayMs))
  const quota = newTenantPerDay * 2 ** days
  return quota < 24 * perTenant ? quota : null // otherwise the budget of an hour is the lower one
}

function hourAgo({ shared }: Context): string {
  return new Date(shared.clock().getTime() - hourMs).toISOString()
}
