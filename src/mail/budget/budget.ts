/** Limits how many mails strangers can cause. It counts the stored mails, so the limits hold for all instances. */
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

/** Whether the mails of all tenants to a mailbox count together, or only those of the sending tenant. */
export type BudgetScope = 'allTenants' | 'tenant'

/**
 * Tells, inside a transaction of the catalogue, whether another mail of the template may be sent. Each template has its
 * own budget, so sign-ups do not use up the mails for a forgotten password. Only the mailbox is locked until the end of
 * the transaction. The budget of the tenant can be exceeded by concurrent mails to other mailboxes.
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
  const toMailbox = { mailboxKey, template, since, limit: perAddress }
  const counted = scope === 'tenant' ? ownMails(inside) : allMails(inside)
  if ((await countLimitedMails(counted, toMailbox)) >= perAddress) return false
  return (await countLimitedMails(ownMails(inside), { template, since, limit: perTenant })) < perTenant
}

/** Locks the mailbox: until the transaction ends, no other transaction adds limited mails to it. */
export async function lockMailbox({ transaction }: Context, to: string): Promise<void> {
  if (transaction === null) throw new Error('Mails were counted outside a transaction.')
  await lockForMailbox(transaction, mailboxOf(to))
}

/**
 * Tells whether another notice of the template may be sent to the address. It is called inside a transaction of the
 * catalogue that has locked the user. More notices would tell nothing new, and the address may be that of a stranger.
 */
export async function noticeBudget(inside: Context, template: string, to: string): Promise<boolean> {
  const { perAddress: limit } = inside.shared.mails
  if (!(await isWithinQuotas(inside, template))) return false
  const mails = { mailboxKey: mailboxOf(to), template, since: hourAgo(inside), limit }
  return (await countLimitedMails(ownMails(inside), mails)) < limit
}

/**
 * Checks three quotas of a day: that of the client's network, which may use many tenants; that of the template in a new
 * tenant; and that of the installation, because all mails come from its domain.
 */
async function isWithinQuotas(inside: Context, template: string): Promise<boolean> {
  const { clientAddress, shared, tenant } = inside
  const { perNetworkPerDay, perDay } = shared.mails
  const nowMs = shared.clock().getTime()
  const since = new Date(nowMs - dayMs).toISOString()
  const network = clientAddress === null ? null : clientNetwork(clientAddress)
  const isFull = async (limit: number, filter: { network?: string } = {}) =>
    (await countLimitedMails(allMails(inside), { ...filter, since, limit })) >= limit
  if (network !== null && (await isFull(perNetworkPerDay, { network }))) return false
  const quota = quotaOf(shared.mails, tenant, nowMs)
  if (quota !== null) {
    if ((await countLimitedMails(ownMails(inside), { template, since, limit: quota })) >= quota) return false
  }
  return !(await isFull(perDay))
}

/** Strangers of one network can use only half of the quota of a new tenant. The other half is left to its users. */
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
 * A new tenant may send few mails, and twice as many each day, because strangers can create many tenants by signing up.
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
  return quota < 24 * perTenant ? quota : null // a larger quota is never reached: the budget of an hour is lower
}

function hourAgo({ shared }: Context): string {
  return new Date(shared.clock().getTime() - hourMs).toISOString()
}
