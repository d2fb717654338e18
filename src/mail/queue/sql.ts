/** Statements of the queue of mails. */
import { type SqlBool, sql } from 'kysely'
import { dueMsOf } from '../../core/queue/key-scan.ts'
import type { CatalogueData, InstallationData } from '../../database/data.ts'
import { inJsonRows, jsonOfIds } from '../../database/json-rows.ts'
import { eachOf, pick, prepareForInstallation, prepareInCatalogue } from '../../database/prepared.ts'

/** A mail that is due, as it was before its attempt. */
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

const waiting = prepareForInstallation((tables) =>
  tables
    .selectFrom('mail')
    .select(({ fn }) => ['tenant_id as key', fn.min<string | null>('next_at').as('dueAt')])
    .where(sql<SqlBool>`next_at is not null`)
    .groupBy('tenant_id'),
)

/** @returns every tenant with waiting mails, and when the first of them is due, in Unix milliseconds */
export async function tenantsWithMails(installation: InstallationData): Promise<Map<string, number>> {
  return dueMsOf(await installation.all(waiting, {}))
}

const due = prepareInCatalogue((tables, p: { now: string; limit: number }, dialect) => {
  const query = tables
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
    .where('next_at', '<=', p.now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(p.limit)
  return dialect === 'postgres' ? query.forUpdate().skipLocked() : query
})

/**
 * Finds due mails inside a transaction. Those that have been due for the longest time come first. On PostgreSQL,
 * mails that another instance is claiming are skipped.
 */
export function dueMails(
  catalogue: CatalogueData,
  range: { now: string; limit: number },
): Promise<DueMail[]> {
  return catalogue.all(due, range)
}

const nextDue = prepareInCatalogue((tables) =>
  tables.selectFrom('mail').select('next_at').where('next_at', 'is not', null).orderBy('next_at').limit(1),
)

/** @returns when the next mail of the tenant is due; `null` if none waits */
export async function nextDueOf(catalogue: CatalogueData): Promise<string | null> {
  return (await catalogue.first(nextDue, {}))?.next_at ?? null
}

const leased = prepareInCatalogue((tables, p: { ids: string; lease: string; until: string }, dialect) =>
  tables
    .updateTable('mail')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), lease: p.lease, next_at: p.until }))
    .where(inJsonRows(dialect, 'id', { json: p.ids, name: 'id', type: 'id' })),
)

/** Leases mails in the transaction that has found them: no other instance claims them until the lease ends. */
export async function leaseMails(
  catalogue: CatalogueData,
  ids: readonly string[],
  lease: { lease: string; until: string },
): Promise<void> {
  if (ids.length === 0) return
  await catalogue.change(leased, { ...lease, ids: jsonOfIds(ids) })
}

/** The state of a mail after an attempt. Its content is deleted unless another attempt can need it. */
export interface MailState {
  id: string
  status: 'PENDING' | 'SENT' | 'DEAD'
  nextAt: string | null
  sentAt: string | null
  error: string | null
  keepsContent: boolean
}

const stateColumns = ['status', 'next_at', 'sent_at', 'error'] as const

interface StateParameters {
  id: string
  status: string
  next_at: string | null
  sent_at: string | null
  error: string | null
  content?: null
  lease?: string
}

const written = eachOf(prepareInCatalogue, (tables, p: StateParameters, _dialect, given) => {
  const query = tables
    .updateTable('mail')
    .set({ ...pick(p, stateColumns), lease: null, ...(given.has('content') && { content: null }) })
    .where('id', '=', p.id)
  return given.has('lease') ? query.where('lease', '=', p.lease ?? '') : query
})

/**
 * Writes the state if the mail still has the lease.
 * @param lease `null` for a mail that this transaction has locked
 * @returns whether the state was written
 */
export async function writeState(
  catalogue: CatalogueData,
  { id, status, nextAt, sentAt, error, keepsContent }: MailState,
  lease: string | null,
): Promise<boolean> {
  const parameters = {
    id,
    status,
    next_at: nextAt,
    sent_at: sentAt,
    error,
    ...(!keepsContent && { content: null }),
    ...(lease !== null && { lease }),
  }
  return (await catalogue.change(written(parameters), parameters)) === 1
}

const expired = prepareForInstallation((tables, p: { now: string }) =>
  tables
    .updateTable('mail')
    .set({ lease: null, next_at: p.now })
    .where('next_at', 'is not', null)
    .where('lease', 'is not', null),
)

/** Makes all leased mails due. They are few, because each instance sends a bounded number at once. */
export async function expireLeases(installation: InstallationData, now: string): Promise<void> {
  await installation.change(expired, { now })
}
