import { type Insertable, type Selectable, sql } from 'kysely'
import type { MailTable } from '../database/catalogue-tables.ts'
import type { InstallationData } from '../database/data.ts'

export type MailRow = Selectable<MailTable>
export type MailSummaryRow = Omit<
  MailRow,
  'content' | 'recipient_key' | 'mailbox_key' | 'is_limited' | 'locale' | 'network'
> & {
  has_content: boolean
}

/** A mail that is stored already stays as it is. */
export async function insertMail(catalogue: InstallationData, row: Insertable<MailTable>): Promise<void> {
  await catalogue.kysely
    .insertInto('mail')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

interface LimitedMails {
  template: string
  since: string
  limit: number
}

/**
 * @param tenantId `null` for those of all tenants
 * @returns the number of limited mails to the mailbox, at most `limit`
 */
export function limitedMailsTo(
  catalogue: InstallationData,
  { mailboxKey, tenantId, limit, ...mails }: LimitedMails & { mailboxKey: string; tenantId: string | null },
): Promise<number> {
  const query = limitedMails(catalogue, mails).where('mailbox_key', '=', mailboxKey).limit(limit)
  return countOf((tenantId === null ? query : query.where('tenant_id', '=', tenantId)).execute())
}

/** @param network only those that it has caused @returns the number of limited mails of the tenant, at most `limit` */
export function limitedMailsOf(
  catalogue: InstallationData,
  { tenantId, network, limit, ...mails }: LimitedMails & { tenantId: string; network?: string },
): Promise<number> {
  const query = limitedMails(catalogue, mails).where('tenant_id', '=', tenantId).limit(limit)
  return countOf((network === undefined ? query : query.where('network', '=', network)).execute())
}

/** @param network `null`: of all clients @returns the number of limited mails that the network has caused, at most `limit` */
export async function limitedMailsFrom(
  catalogue: InstallationData,
  { network, since, limit }: { network: string | null; since: string; limit: number },
): Promise<number> {
  const mails = catalogue.kysely.selectFrom('mail').select('id').where(sql<boolean>`is_limited`)
  const recent = mails.where('created_at', '>', since).limit(limit)
  const counted = network === null ? recent : recent.where('network', '=', network)
  const { fn } = catalogue.kysely
  const row = await catalogue.kysely
    .selectFrom(counted.as('counted'))
    .select(fn.countAll().as('number'))
    .executeTakeFirst()
  return Number(row?.number)
}

/** The condition is that of the partial indexes, as they are written. */
function limitedMails(catalogue: InstallationData, { template, since }: Omit<LimitedMails, 'limit'>) {
  const mails = catalogue.kysely.selectFrom('mail').select('id').where(sql<boolean>`is_limited`)
  return mails.where('template', '=', template).where('created_at', '>', since)
}

async function countOf(rows: Promise<unknown[]>): Promise<number> {
  return (await rows).length
}

const summaryColumns = [
  'id',
  'tenant_id',
  'template',
  'recipient',
  'status',
  'attempts',
  'attempts_before',
  'next_at',
  'lease',
  'error',
  'created_at',
  'expires_at',
  'sent_at',
] as const

function summaries(catalogue: InstallationData, tenantId: string) {
  return catalogue.kysely
    .selectFrom('mail')
    .select(summaryColumns)
    .select(({ eb }) => eb('content', 'is not', null).$castTo<boolean>().as('has_content'))
    .where('tenant_id', '=', tenantId)
}

export interface MailFilter {
  status: string | undefined
  template: string | undefined
  recipientKey: string | undefined
}

/** Newest first. @param before the id to continue after, `null` for the newest */
export function mailPage(
  catalogue: InstallationData,
  tenantId: string,
  { status, template, recipientKey, before, limit }: MailFilter & { before: string | null; limit: number },
): Promise<MailSummaryRow[]> {
  return summaries(catalogue, tenantId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
    .$if(template !== undefined, (query) => query.where('template', '=', template ?? ''))
    .$if(recipientKey !== undefined, (query) => query.where('recipient_key', '=', recipientKey ?? ''))
    .$if(before !== null, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Locks the mail until the transaction ends. */
export async function lockMail(
  catalogue: InstallationData,
  tenantId: string,
  id: string,
): Promise<MailSummaryRow | null> {
  const query = summaries(catalogue, tenantId).where('id', '=', id)
  const row = await (catalogue.executor.dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  return row ?? null
}

export interface RetriableMails {
  /** `null`: of all tenants. */
  tenantId: string | null
  /** A part of their error. */
  error: string
  template: string | undefined
  moment: string
  limit: number
}

/** Locks mails that can be retried, the oldest first, until the transaction ends. */
export function lockRetriableMails(
  catalogue: InstallationData,
  { tenantId, error, template, moment, limit }: RetriableMails,
): Promise<{ id: string; tenant_id: string }[]> {
  const isPostgres = catalogue.executor.dialect === 'postgres'
  return catalogue.kysely
    .selectFrom('mail')
    .select(['id', 'tenant_id'])
    .where(sql<boolean>`status <> 'SENT'`) // as the partial index has it
    .where('status', '=', 'DEAD')
    .where('content', 'is not', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', moment)]))
    .where(isPostgres ? sql<boolean>`strpos(error, ${error}) > 0` : sql<boolean>`instr(error, ${error}) > 0`)
    .$if(tenantId !== null, (query) => query.where('tenant_id', '=', tenantId ?? ''))
    .$if(template !== undefined, (query) => query.where('template', '=', template ?? ''))
    .orderBy('id')
    .limit(limit)
    .$if(isPostgres, (query) => query.forUpdate())
    .execute()
}

/** Makes mails due, with the whole schedule. */
export async function retryMailsNow(
  catalogue: InstallationData,
  ids: readonly string[],
  now: string,
): Promise<void> {
  await catalogue.kysely
    .updateTable('mail')
    .set(({ ref }) => ({ status: 'PENDING', next_at: now, attempts_before: ref('attempts') }))
    .where('id', 'in', [...ids])
    .execute()
}

/** @returns the mails of all tenants that were not sent */
export async function countByStatus(catalogue: InstallationData): Promise<Map<string, number>> {
  const rows = await catalogue.kysely
    .selectFrom('mail')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where(sql<boolean>`status <> 'SENT'`)
    .groupBy('status')
    .execute()
  return new Map(rows.map(({ status, count }) => [status, Number(count)]))
}

export interface MailsOfTenant {
  tenant_id: string
  count: number
}

/** @param tenants at most so many, those with the highest counts */
export function countByTenant(
  catalogue: InstallationData,
  status: 'PENDING' | 'DEAD',
  tenants: number,
): Promise<MailsOfTenant[]> {
  return catalogue.kysely
    .selectFrom('mail')
    .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('count')])
    .where(sql<boolean>`status <> 'SENT'`)
    .where('status', '=', status)
    .groupBy('tenant_id')
    .orderBy('count', 'desc')
    .limit(tenants)
    .execute()
}

/** @returns mails that say something that has expired; the queue ends those that wait */
export function expiredMails(catalogue: InstallationData, moment: string, limit: number): Promise<string[]> {
  const query = catalogue.kysely.selectFrom('mail').select('id').where('expires_at', '<=', moment)
  const ended = query.where('content', 'is not', null).where('next_at', 'is', null)
  return idsOf(ended.limit(limit).execute())
}

export async function deleteContents(catalogue: InstallationData, ids: readonly string[]): Promise<void> {
  const query = catalogue.kysely.updateTable('mail').set({ content: null })
  await query.where('id', 'in', [...ids]).execute()
}

/** @returns mails that were sent or given up and are older than the moment */
export function mailsEndedBefore(
  catalogue: InstallationData,
  before: string,
  limit: number,
): Promise<string[]> {
  const query = catalogue.kysely.selectFrom('mail').select('id').where('created_at', '<', before)
  return idsOf(query.where('next_at', 'is', null).orderBy('created_at').limit(limit).execute())
}

export async function deleteMails(catalogue: InstallationData, ids: readonly string[]): Promise<void> {
  const query = catalogue.kysely.deleteFrom('mail').where('id', 'in', [...ids])
  await query.where('next_at', 'is', null).execute()
}

async function idsOf(rows: Promise<{ id: string }[]>): Promise<string[]> {
  return (await rows).map(({ id }) => id)
}

export async function mailIdsOf(catalogue: InstallationData, tenantId: string): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('mail')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .execute()
  return rows.map(({ id }) => id)
}
