/** Writes and lists the audit: records of sign-ins, and of changes of users, tenants, keys, subscriptions and rows. */

import { type CatalogueData, TenantData } from '../../database/data.ts'
import { type Context, hostTenantId, now, type Tenant } from '../context.ts'
import { invalidField, ServiceError } from '../errors.ts'
import { isUuid, newId } from '../id.ts'
import { installation } from '../installation.ts'
import { CallerTime } from '../limits/caller-time.ts'
import { decodeCursor, type Page, type PageRequest, readPage } from '../page.ts'
import { lookUpTenant } from '../tenant/directory.ts'
import type { AuditAction } from './action.ts'
import { countRecords, firstRecords, type ReadRecords, recordBatches } from './batches.ts'
import { countAudit } from './count.ts'
import { auditMask } from './mask.ts'
import type { AuditRecord } from './record.ts'
import { type KeepRecords, recordsInReach } from './record-reach.ts'
import {
  type AuditFilter,
  type AuditRow,
  auditPage,
  insertAudit,
  insertTenantAudit,
  type NewAudit,
  tenantAuditPage,
  transferAudit,
} from './sql.ts'

export const auditTable = 'audit'

export interface AuditEntry {
  action: AuditAction
  /** The tenant to whose audit the record belongs. */
  tenantId: string
  /** The kind of the subject, such as `user`. */
  subjectType: string
  subjectId: string | null
  /** Must not contain secrets, because administrators see it. */
  detail?: Record<string, unknown>
  /** The actor of the record, if it is not that of the context: a user who signs in has no context yet. */
  actor?: { id: string; userName: string }
}

/**
 * Writes the entry in the transaction of a change of the catalogue.
 * @throws Error outside a transaction, or for an action that no feature has declared
 */
export async function recordAudit(context: Context, entry: AuditEntry): Promise<void> {
  await insertAudit(recordsOf(context, entry.tenantId), rowOf(context, entry))
}

/** Writes the entry like `recordAudit`, for a change of the tenant's rows, which may be in another database. */
export async function recordTenantAudit(context: Context, entry: AuditEntry): Promise<void> {
  if (!context.tenant.hasOwnDatabase) return recordAudit(context, entry)
  await insertTenantAudit(context.data, rowOf(context, entry))
}

/** @returns the handle of the entry's tenant: an administrator of the host may act on another tenant */
function recordsOf(context: Context, tenantId: string): CatalogueData {
  return installation(context, 'what is done across tenants is recorded for each of them').ofTenant(tenantId)
}

function rowOf(context: Context, entry: AuditEntry): NewAudit {
  if (context.transaction === null) throw new Error(`${entry.action} was audited outside a transaction.`)
  if (!context.shared.auditActions.has(entry.action))
    throw new Error(`No feature has ${entry.action} among its audited actions.`)
  const actor = entry.actor ?? context.actor
  return {
    id: newId(),
    actor_id: actor?.id ?? null,
    actor_name: actor?.userName ?? null,
    impersonator_id: context.actor?.impersonator?.id ?? null,
    impersonator_name: context.actor?.impersonator?.userName ?? null,
    action: entry.action,
    subject_type: entry.subjectType,
    subject_id: entry.subjectId,
    detail: JSON.stringify(entry.detail ?? {}),
    client_address: context.clientAddress,
    request_id: context.requestId,
    created_at: now(context),
  }
}

/** Whether the tenant has a record of this action by this actor. */
export async function hasAudited(
  catalogue: CatalogueData,
  filter: { action: AuditAction; actorId: string },
): Promise<boolean> {
  return (await auditPage(catalogue, { filter, before: null, limit: 1 })).length > 0
}

/** @returns the details of the latest records of this action */
export async function auditedDetails(
  catalogue: CatalogueData,
  action: AuditAction,
): Promise<Record<string, unknown>[]> {
  const rows = await auditPage(catalogue, { filter: { action }, before: null, limit: maxDetails })
  return rows.map(({ detail }) => JSON.parse(detail) as Record<string, unknown>) // written as an object
}

const maxDetails = 20

/** Whether `kept`, an audit row of the host tenant, is this row of an erased tenant, which an import of it restores. */
export function isKeptByHost(row: Record<string, unknown>, kept: Record<string, unknown>): boolean {
  const same = ['id', 'action', 'subject_type', 'subject_id', 'created_at']
  return kept['tenant_id'] === hostTenantId && same.every((column) => row[column] === kept[column])
}

export interface AuditQuery extends AuditFilter, PageRequest {}

/** The audit of the context's own tenant, newest first. @throws ServiceError `invalid` for a foreign cursor */
export async function listAudit(context: Context, query: AuditQuery): Promise<Page<AuditRecord>> {
  const { data, catalogue } = context
  return readAudit(context, catalogue, { data, rows: data, query })
}

/**
 * Lists the audit of a tenant, or the part of the audit of all tenants that is in the catalogue. Records in the
 * databases of tenants that have their own are left out there, because opening all of them takes as long as the
 * slowest.
 * @throws ServiceError `forbidden` outside of the host; `invalid` for a foreign cursor, and for a count of all
 *   tenants; `unavailable` while the database of that tenant is
 */
export async function listAuditOfTenants(
  context: Context,
  query: AuditQuery & { tenantId?: string },
): Promise<Page<AuditRecord>> {
  if (context.actor?.tenantId !== hostTenantId) throw new ServiceError('forbidden')
  const everywhere = installation(context, 'administrators of the host read the audit of every tenant')
  if (query.tenantId === undefined) {
    if (query.isCounted)
      throw invalidField('count', 'needs tenantId: the records of all tenants are not counted', 'notPossible')
    return readPage(query.limit, async (limit) => {
      const read: ReadRecords = (range) => auditPage(everywhere, { filter: query, ...range })
      const rows = await readRecords(context, read, { keep: recordsInReach(context, null), limit, query })
      return rows.map(recorder(context))
    })
  }
  const tenant = await lookUpTenant(context, query.tenantId)
  if (tenant === null) return { items: [], next: null, total: 0 }
  // A tenant that is being erased may have no database any more, and a lease would create it again.
  const catalogue = everywhere.ofTenant(tenant.id)
  if (tenant.isBeingErased) return readAudit(context, catalogue, { data: null, rows: null, query })
  return readAuditOf(context, { tenant, catalogue }, query)
}

/** Reads the tenant's own database through the tenant's share of its connections. */
async function readAuditOf(
  context: Context,
  { tenant, catalogue }: { tenant: Tenant; catalogue: CatalogueData },
  query: AuditQuery,
): Promise<Page<AuditRecord>> {
  const lease = await context.shared.tenantDatabases.lease(tenant)
  try {
    const { database } = lease
    const data = new TenantData(tenant.id, database.executorFor(tenant.id), database)
    // Access rules cannot be tested: they compare users of the tenant, and the reader is a user of the host.
    return await readAudit(context, catalogue, { data, rows: null, query })
  } finally {
    lease.release()
  }
}

interface ReadTenant {
  /** The tenant's database; `null` while the tenant is being erased. */
  data: TenantData | null
  /** The rows that records are about, confined to those that the reader may read; `null`: the reader may read none. */
  rows: TenantData | null
  query: AuditQuery
}

async function readAudit(
  context: Context,
  catalogue: CatalogueData,
  { data, rows, query }: ReadTenant,
): Promise<Page<AuditRecord>> {
  const keep = recordsInReach(context, rows)
  const read: ReadRecords = async (part) => {
    const range = { filter: query, ...part }
    const found = await auditPage(catalogue, range)
    if (data === null) return found
    // A tenant without an own database may have had one: it was moved with its records.
    const own = await tenantAuditPage(data, range)
    return [...found, ...own].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, range.limit)
  }
  const page = await readPage(query.limit, async (limit) => {
    const found = await readRecords(context, read, { keep, limit, query })
    return found.map(recorder(context))
  })
  if (query.isCounted !== true) return page
  if (keep !== null) {
    const all = recordBatches(read, { before: null, keep, time: new CallerTime(context) })
    return { ...page, total: await countRecords(all) }
  }
  const { tenantId, executor } = catalogue
  // A count is a read by filter, which goes through `TenantData`, also for rows of the catalogue.
  const counted = new TenantData(tenantId, executor, context.shared.catalogueDatabase)
  return { ...page, total: await countAudit(context, { catalogue: counted, data }, query) }
}

/** @param keep selects the records that the reader may see; `null` for all records */
function readRecords(
  context: Context,
  read: ReadRecords,
  { keep, limit, query }: { keep: KeepRecords | null; limit: number; query: AuditQuery },
): Promise<AuditRow[]> {
  const before = beforeOf(query)
  if (keep === null) return read({ before, limit })
  return firstRecords(recordBatches(read, { before, keep, time: new CallerTime(context) }), limit)
}

function beforeOf({ cursor }: AuditQuery): string | null {
  return cursor === undefined ? null : decodeCursor(cursor, isUuid)
}

/** @returns a function that makes records of rows, and hides the values of members that the reader may not read */
function recorder(context: Context): (row: AuditRow) => AuditRecord {
  const mask = auditMask(context)
  return (row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    actorId: row.actor_id,
    actorName: row.actor_name,
    impersonatorId: row.impersonator_id,
    impersonatorName: row.impersonator_name,
    action: row.action,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    detail: mask(row.subject_type, JSON.parse(row.detail) as Record<string, unknown>), // written as an object
    clientAddress: row.client_address,
    requestId: row.request_id,
    createdAt: row.created_at,
  })
}

/** Lists the last things that an actor did in the tenant, newest first. */
export async function lastChanges(
  context: Context,
  actorId: string,
  limit: number,
): Promise<Pick<AuditRecord, 'action' | 'subjectType' | 'subjectId' | 'createdAt'>[]> {
  const query = { actorId, limit }
  const { items } = await listAudit(context, query)
  return items
}

/**
 * Transfers the records about a tenant as a whole to the host tenant, inside the transaction that erases the tenant.
 * They show that the tenant existed, and contain no personal data.
 */
export async function keepForHost(inside: Context, tenantId: string): Promise<void> {
  const both = installation(inside, 'the host keeps the records about an erased tenant')
  await transferAudit(both, tenantId, hostTenantId)
}
