/** Statements of the queue of mails. */
import { sql } from 'kysely'
import type { InstallationData } from '../../database/data.ts'

/** A mail that is due, before its attempt. */
export interface DueMail {
  id: string
  tenantId: string
  template: string
  recipient: string
  locale: string | null
  content: Uint8Array | null
  attempts: number
  attemptsBefore: number
  createdAt: string
  expiresAt: string | null
}

const isWaiting = sql<boolean>`next_at is not null`

/** @returns every tenant with waiting mails, and when the first of them is due */
export function tenantsWithMails(
  catalogue: InstallationData,
): Promise<{ tenantId: string; dueAt: string | null }[]> {
  return catalogue.kysely
    .selectFrom('mail')
    .select(({ fn }) => ['tenant_id as tenantId', fn.min<string | null>('next_at').as('dueAt')])
    .where(isWaiting)
    .groupBy('tenant_id')
    .execute()
}

/** Inside a transaction, the longest due first. On PostgreSQL without those that another instance is claiming. */
export function dueMails(
  catalogue: InstallationData,
  { tenantId, now, limit }: { tenantId: string; now: string; limit: number },
): Promise<DueMail[]> {
  const query = catalogue.kysely
    .selectFrom('mail')
    .select([
      'id',
      'tenant_id as tenantId',
      'template',
      'recipient',
      'locale',
      'content',
      'attempts',
      'attempts_before as attemptsBefore',
      'created_at as createdAt',
      'expires_at as expiresAt',
    ])
    .where('tenant_id', '=', tenantId)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
  return (catalogue.executor.dialect === 'postgres' ? query.forUpdate().skipLocked() : query).execute()
}

/** When the next mail of the tenant is due; `null` without a waiting one. */
export async function nextDueOf(catalogue: InstallationData, tenantId: string): Promise<string | null> {
  const query = catalogue.kysely.selectFrom('mail').select('next_at').where('tenant_id', '=', tenantId)
  const row = await query.where('next_at', 'is not', null).orderBy('next_at').limit(1).executeTakeFirst()
  return row?.next_at ?? null
}

/** Inside the transaction that has found them: no other instance claims the mails until the lease ends. */
export async function leaseMails(
  catalogue: InstallationData,
  ids: readonly string[],
  { lease, until }: { lease: string; until: string },
): Promise<void> {
  if (ids.length === 0) return
  await catalogue.kysely
    .updateTable('mail')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), lease, next_at: until }))
    .where('id', 'in', [...ids])
    .execute()
}

/** The state of a mail after an attempt. What it says is deleted unless it can be needed again. */
export interface MailState {
  id: string
  status: 'PENDING' | 'SENT' | 'DEAD'
  nextAt: string | null
  sentAt: string | null
  error: string | null
  keepsContent: boolean
}

/** @param lease that it must still have; `null` for a mail that this transaction has locked @returns whether it had it */
export async function writeState(
  catalogue: InstallationData,
  { id, status, nextAt, sentAt, error, keepsContent }: MailState,
  lease: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await catalogue.kysely
    .updateTable('mail')
    .set({ status, next_at: nextAt, sent_at: sentAt, error, lease: null })
    .$if(!keepsContent, (query) => query.set({ content: null }))
    .where('id', '=', id)
    .$if(lease !== null, (query) => query.where('lease', '=', lease))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Makes all leased mails due. They are few: an instance sends a bounded number. */
export async function expireLeases(catalogue: InstallationData, now: string): Promise<void> {
  await catalogue.kysely
    .updateTable('mail')
    .set({ lease: null, next_at: now })
    .where('next_at', 'is not', null)
    .where('lease', 'is not', null)
    .execute()
}
