import type { RowKey } from '../../database/json-rows.ts'

/** The keys by which queues share their capacity, such as tenants or subscriptions. */

/** A key with pending work, and the moment at which the work becomes due. */
export interface DueKey {
  /** The name of the queue. */
  queue: string
  key: string
  /** The due moment in Unix milliseconds. */
  dueMs: number
}

export interface DueWork extends RowKey {
  /** The key of the due index, and of the permit; the tenant if absent. */
  key?: string
}

export function keyOf({ key, tenantId }: DueWork): string {
  return key ?? tenantId
}

/** @returns the tenant of a key: a key is the id of a tenant, or begins with it and a slash */
export function tenantOf(key: string): string {
  const end = key.indexOf('/')
  return end === -1 ? key : key.slice(0, end)
}
