/** Row types, the same on both databases: ids and timestamps strings, booleans booleans, prices numbers. */

/**
 * Tables whose rows belong to a tenant. A feature of your own adds its table by declaration merging:
 * `declare module 'tenantry' { interface TenantTables { note: NoteTable } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add theirs
export interface TenantTables {}

type OfAllTenants<T> = Omit<T, 'tenant_id'> & { tenant_id: string }

type QueueTable =
  | 'event'
  | 'subscription'
  | 'delivery'
  | 'attempt'
  | 'webhook_run'
  | 'webhook_receipt'
  | 'queued_job'

/** The tables that queues read and write for all tenants of a database together. */
export type QueueTables = {
  [K in keyof TenantTables & QueueTable]: OfAllTenants<TenantTables[K]>
}
