import type { RowKey } from '../../database/json-rows.ts'

/** Pending work of a queue, with the moment at which it becomes due. */
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

/** A key is a tenant, or begins with the tenant and a slash. */
export function tenantOf(key: string): string {
  const end = key.indexOf('/')
  return end === -1 ? key : key.slice(0, end)
}
