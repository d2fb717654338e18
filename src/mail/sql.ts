/** Statements on mails. Those of the queue are in `queue/sql.ts`. */
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { TenantCount } from '../database/count-apart.ts'
import type { CatalogueData, InstallationData, TenantOrAllData } from '../database/data.ts'
import type { Dialect } from '../database/executor.ts'
import { inJsonRows, jsonOfIds } from '../database/json-rows.ts'
import { lockedIn } from '../database/locked-rows.ts'
import {
  eachOf,
  pick,
  prepareForInstallation,
  prepareForTenantOrAll,
  prepareInCatalogue,
} from '../database/prepared.ts'
import type { Derivation } from '../database/read/read-model.ts'
import type { MailTable } from './table.ts'

export type MailRow = Selectable<MailTable>

/** When the next attempt is due. It is NULL during an attempt, because the column then has the end of the lease. */
export const nextAttemptAt: Derivation = {
  columns: ['lease', 'next_at'],
  value: (column) => sql`case when ${column('lease')} is null then ${column('next_at')} end`,
}

export const noExpiry = 'never'

/** Until when a dead mail can be retried: a moment or `noExpiry`; NULL if it cannot be retried. */
export const retriableUntil: Derivation = {
  columns: ['status', 'content', 'expires_at'],
  value: (column) =>
    sql`case when ${column('status')} = 'DEAD' and ${column('content')} is not null
      then coalesce(cast(${column('expires_at')} as text), ${sql.lit(noExpiry)}) end`,
}

const newColumns = [
  'id',
  'template',
  'recipient',
  'recipient_key',
  'mailbox_key',
  'locale',
  'content',
  'is_limited',
  'network',
  'status',
  'attempts',
  'attempts_before',
  'next_at',
  'error',
  'created_at',
  'expires_at',
] as const

type NewMailRow = Pick<MailRow, (typeof newColumns)[number]>

const added = prepareInCatalogue((tables, p: NewMailRow) =>
  tables
    .insertInto('mail')
    .values(pick(p, newColumns))
    .onConflict((conflict) => conflict.column('id').doNothing()),
)

/** Stores a mail. A mail that is already stored under its id is not changed. */
export async function insertMail(catalogue: CatalogueData, row: NewMailRow): Promise<void> {
  await catalogue.change(added, row)
}

type LockedMail = Pick<MailRow, 'template' | 'status' | 'attempts' | 'expires_at'> & { has_content: boolean }

const locked = prepareInCatalogue((tables, p: { id: string }, dialect) =>
  tables
    .selectFrom('mail')
    .select(['template', 'status', 'attempts', 'expires_at'])
    .select(({ eb }) => eb('content', 'is not', null).$castTo<boolean>().as('has_content'))
    .where('id', '=', p.id)
    .$call(lockedIn(dialect)),
)

/** Locks the mail until the transaction ends. */
export function lockMail(catalogue: CatalogueData, id: string): Promise<LockedMail | null> {
  return catalogue.first(locked, { id })
}

export interface RetriableMails {
  /** A part of the error. Case matters. */
  error?: string
  template?: string
  /** Only mails with a later id are found. */
  after?: string
  /** Only mails that can be retried at this moment are found. */
  retriableAt: string
  limit: number
}

export type RetriableMail = Pick<MailRow, 'id' | 'tenant_id' | 'template'>

const retriable = eachOf(prepareForTenantOrAll, (tables, p: RetriableMails, dialect, given) =>
  tables
    .selectFrom('mail')
    .select(['id', 'tenant_id', 'template'])
    .where(matches(p, dialect, given))
    .orderBy('id')
    .limit(p.limit)
    .$call(lockedIn(dialect)),
)

/** Locks mails that can be retried, the oldest first, until the transaction ends. */
export function lockRetriableMails(data: TenantOrAllData, mails: RetriableMails): Promise<RetriableMail[]> {
  return data.all(retriable(mails), mails)
}

/** The conditions of the partial indexes are repeated word for word: `status <> 'SENT'`, `error is not null`. */
function matches(p: RetriableMails, dialect: Dialect, given: ReadonlySet<string>): RawBuilder<SqlBool> {
  const isPartOfError =
    dialect === 'postgres'
      ? sql`error is not null and strpos(error, ${p.error}) > 0`
      : sql`error is not null and instr(error, ${p.error}) > 0`
  const conditions = [
    sql`status <> 'SENT' and status = 'DEAD' and content is not null`,
    sql`(expires_at is null or expires_at > ${p.retriableAt})`,
    ...(given.has('error') ? [isPartOfError] : []),
    ...(given.has('after') ? [sql`id > ${p.after}`] : []),
    ...(given.has('template') ? [sql`template = ${p.template}`] : []),
  ]
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

const retried = prepareForInstallation((tables, p: { ids: string; now: string }, dialect) =>
  tables
    .updateTable('mail')
    .set(({ ref }) => ({ status: 'PENDING', next_at: p.now, attempts_before: ref('attempts') }))
    .where(inJsonRows(dialect, 'id', { json: p.ids, name: 'id', type: 'id' })),
)

/** Makes mails due that the transaction has locked. They get the whole retry schedule again. */
export async function retryMailsNow(
  installation: InstallationData,
  ids: readonly string[],
  now: string,
): Promise<void> {
  await installation.change(retried, { ids: jsonOfIds(ids), now })
}

const byStatus = prepareForInstallation((tables) =>
  tables
    .selectFrom('mail')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where(sql<SqlBool>`status <> 'SENT'`)
    .groupBy('status'),
)

/** @returns the number of mails that were not sent, by status, of all tenants */
export async function countByStatus(installation: InstallationData): Promise<Map<string, number>> {
  const rows = await installation.all(byStatus, {})
  return new Map(rows.map(({ status, count }) => [status, Number(count)]))
}

const byTenant = prepareForInstallation((tables, p: { status: string; tenants: number }) =>
  tables
    .selectFrom('mail')
    .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('count')])
    .where(sql<SqlBool>`status <> 'SENT'`)
    .where('status', '=', p.status)
    .groupBy('tenant_id')
    .orderBy('count', 'desc')
    .limit(p.tenants),
)

/** @param tenants the most tenants: those with the highest counts */
export function countByTenant(
  installation: InstallationData,
  status: 'PENDING' | 'DEAD',
  tenants: number,
): Promise<TenantCount[]> {
  return installation.all(byTenant, { status, tenants })
}

export interface DeadTemplate {
  tenant_id: string
  template: string
  count: number
  /** How many of them can be retried. */
  retriable: number
}

const deadByTemplate = prepareForInstallation((tables, p: { now: string; groups: number }) =>
  tables
    .selectFrom('mail')
    .select(({ fn }) => [
      'tenant_id',
      'template',
      fn.countAll<number>().as('count'),
      sql<number>`sum(case when content is not null and (expires_at is null or expires_at > ${p.now})
        then 1 else 0 end)`.as('retriable'),
    ])
    .where(sql<SqlBool>`status <> 'SENT' and status = 'DEAD'`)
    .groupBy(['tenant_id', 'template'])
    .orderBy('count', 'desc')
    .limit(p.groups),
)

/** @returns the templates with the most dead mails of all tenants */
export function countDeadMails(
  installation: InstallationData,
  now: string,
  groups: number,
): Promise<DeadTemplate[]> {
  return installation.all(deadByTemplate, { now, groups })
}

const expired = prepareForInstallation((tables, p: { moment: string; limit: number }) =>
  tables
    .selectFrom('mail')
    .select('id')
    .where('expires_at', '<=', p.moment)
    .where('content', 'is not', null)
    .where('next_at', 'is', null)
    .limit(p.limit),
)

/** @returns mails with content that has expired. Waiting mails are left out, because the queue gives them up. */
export async function expiredMails(
  installation: InstallationData,
  moment: string,
  limit: number,
): Promise<string[]> {
  return (await installation.all(expired, { moment, limit })).map(({ id }) => id)
}

const emptied = prepareForInstallation((tables, p: { ids: string }, dialect) =>
  tables
    .updateTable('mail')
    .set({ content: null })
    .where(inJsonRows(dialect, 'id', { json: p.ids, name: 'id', type: 'id' })),
)

export async function deleteContents(installation: InstallationData, ids: readonly string[]): Promise<void> {
  await installation.change(emptied, { ids: jsonOfIds(ids) })
}

const ended = prepareForInstallation((tables, p: { before: string; limit: number }) =>
  tables
    .selectFrom('mail')
    .select('id')
    .where('created_at', '<', p.before)
    .where('next_at', 'is', null)
    .orderBy('created_at')
    .limit(p.limit),
)

/** @returns mails that were sent or given up and are older than the moment */
export async function mailsEndedBefore(
  installation: InstallationData,
  before: string,
  limit: number,
): Promise<string[]> {
  return (await installation.all(ended, { before, limit })).map(({ id }) => id)
}

const removed = prepareForInstallation((tables, p: { ids: string }, dialect) =>
  tables
    .deleteFrom('mail')
    .where(inJsonRows(dialect, 'id', { json: p.ids, name: 'id', type: 'id' }))
    .where('next_at', 'is', null),
)

export async function deleteMails(installation: InstallationData, ids: readonly string[]): Promise<void> {
  await installation.change(removed, { ids: jsonOfIds(ids) })
}

const allIds = prepareInCatalogue((tables) => tables.selectFrom('mail').select('id'))

/** @returns the ids of all mails of a tenant, which is being erased */
export async function mailIdsOf(catalogue: CatalogueData): Promise<string[]> {
  return (await catalogue.all(allIds, {})).map(({ id }) => id)
}
