/**
 * A cursor of the events that is at most 250 ms old, read once for many requests. A client that reads rows and
 * follows the events from this cursor misses nothing, but may be told of changes that its rows contain already. An
 * event of this instance makes the cursor stale at once.
 */
import type { TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { LruMap } from '../../database/lru-map.ts'
import { currentCursor } from './feed.ts'

const validMs = 250
const maxTenants = 1000

interface Known {
  cursor: string
  untilMs: number
}

/** The cursors by database and tenant. A tenant that moves to another database has other cursors there. */
const known = new WeakMap<Database, LruMap<string, Known>>()

/** @returns a known cursor without a promise, because each page of a list asks for one */
export function recentCursor(data: TenantData): string | Promise<string> {
  const { database, tenantId } = data
  if (database === null) return currentCursor(data)
  const recent = known.get(database)?.get(tenantId)
  if (recent !== undefined && recent.untilMs > performance.now()) return recent.cursor
  return readCursor(data, database)
}

async function readCursor(data: TenantData, database: Database): Promise<string> {
  const nowMs = performance.now()
  const cursor = await currentCursor(data)
  const ofDatabase = known.get(database) ?? new LruMap<string, Known>(maxTenants)
  known.set(database, ofDatabase)
  ofDatabase.set(data.tenantId, { cursor, untilMs: nowMs + validMs })
  return cursor
}

/** Called after a commit of the tenant's events on this instance. */
export function forgetCursor(database: Database, tenantId: string): void {
  known.get(database)?.delete(tenantId)
}
