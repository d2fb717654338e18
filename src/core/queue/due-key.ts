import type { RowKey } from '../../database/json-rows.ts'

/**
 * The keys by which queues share their capacity, such as tenants or subscriptions. Under the key of a piece of work, the
 * due index knows when work is due, and a limiter counts the permits of work in progress.
 */

/** A key with pending work, and the moment at which the work becomes due. */
export interface DueKey {
  /** The name of the queue. */
  queue: string
  /** See `DueWork`. */
  key: string
  /** The due moment in Unix milliseconds. */
  dueMs: number
}

/** A piece of work that a queue has claimed: the tenant and the id of its row, and its key. */
export interface DueWork extends RowKey {
  /** The tenant if absent. */
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
