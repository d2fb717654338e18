import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { CatalogueData, InstallationData, TenantData, TenantOrAllData } from '../../database/data.ts'
import {
  eachOf,
  pick,
  prepare,
  prepareEach,
  prepareForInstallation,
  prepareForTenantOrAll,
  prepareInCatalogue,
} from '../../database/prepared.ts'
import { defined } from '../defined.ts'
import type { AuditTable } from './table.ts'

/**
 * The statements of the audit. Its records are in `audit` in the catalogue, and in `tenant_audit` beside tenants'
 * rows.
 */

export type AuditRow = Selectable<AuditTable>
export type NewAudit = Insertable<AuditTable>

export interface AuditFilter {
  action?: string
  actorId?: string
  subjectId?: string
}

const columns = [
  'id',
  'actor_id',
  'actor_name',
  'impersonator_id',
  'impersonator_name',
  'action',
  'subject_type',
  'subject_id',
  'detail',
  'client_address',
  'request_id',
  'created_at',
] as const

const added = prepareInCatalogue((tables, p: NewAudit) => tables.insertInto('audit').values(pick(p, columns)))

export function insertAudit(catalogue: CatalogueData, row: NewAudit): Promise<void> {
  return catalogue.defer(added, row)
}

const addedToTenant = prepare((tables, p: NewAudit) =>
  tables.insertInto('tenant_audit').values(pick(p, columns)),
)

export async function insertTenantAudit(data: TenantData, row: NewAudit): Promise<void> {
  await data.change(addedToTenant, row)
}

const transferred = prepareForInstallation((tables, p: { from: string; to: string }) =>
  tables
    .updateTable('audit')
    .set({ tenant_id: p.to, actor_name: null, impersonator_name: null, client_address: null, detail: '{}' })
    .where('tenant_id', '=', p.from)
    .where('subject_type', '=', 'tenant'),
)

/** Transfers the records about a tenant to another tenant, without names, addresses and details. */
export async function transferAudit(installation: InstallationData, from: string, to: string): Promise<void> {
  await installation.change(transferred, { from, to })
}

/** The parameters of a page of matching records, the newest first. */
interface PageParameters extends AuditFilter {
  /** The id after which the page begins; absent for the newest records. */
  before?: string
  limit: number
}

export interface AuditPage {
  filter: AuditFilter
  before: string | null
  limit: number
}

function parametersOf({ filter, before, limit }: AuditPage): PageParameters {
  const { action, actorId, subjectId } = filter
  return defined({ limit, before: before ?? undefined, action, actorId: actorId?.toLowerCase(), subjectId })
}

/** Conditions on columns that the audits of the catalogue and of tenants share. */
function matches(p: PageParameters, given: ReadonlySet<keyof PageParameters>): RawBuilder<SqlBool> {
  const conditions = [
    ...(given.has('before') ? [sql`id < ${p.before}`] : []),
    ...(given.has('action') ? [sql`action = ${p.action}`] : []),
    ...(given.has('actorId') ? [sql`actor_id = ${p.actorId}`] : []),
    ...(given.has('subjectId') ? [sql`subject_id = ${p.subjectId}`] : []),
  ]
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

/** @returns the ids whose rows exist and may be read through the handle */
export async function reachedIds(data: TenantData, table: string, ids: readonly string[]): Promise<string[]> {
  const named = table as 'event' // every table with rules has ids
  const rows = await data.kysely.selectFrom(named).select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

const inCatalogue = eachOf(prepareForTenantOrAll, (tables, p: PageParameters, _dialect, given) =>
  tables.selectFrom('audit').selectAll().where(matches(p, given)).orderBy('id', 'desc').limit(p.limit),
)

/** @returns records in the catalogue, of one tenant or of all, the newest first */
export function auditPage(data: TenantOrAllData, page: AuditPage): Promise<AuditRow[]> {
  const parameters = parametersOf(page)
  return data.all(inCatalogue(parameters), parameters)
}

const amongRows = prepareEach((tables, p: PageParameters, _dialect, given) =>
  tables.selectFrom('tenant_audit').selectAll().where(matches(p, given)).orderBy('id', 'desc').limit(p.limit),
)

/** @returns the records beside the tenant's rows, the newest first */
export function tenantAuditPage(data: TenantData, page: AuditPage): Promise<AuditRow[]> {
  const parameters = parametersOf(page)
  return data.all(amongRows(parameters), parameters)
}
