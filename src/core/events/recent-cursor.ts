/**
 * The cursor of a moment ago, read once for many requests. Whoever reads rows and then continues from it is told of what
 * happened since, some of which the rows have already; nothing is missed. An event of this instance ends it at once.
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

/** By tenant: the rows of a tenant that is moved have other cursors in the other database. */
const known = new WeakMap<Database, LruMap<string, Known>>()

/** @returns no promise of a cursor that is known: each page of a list asks */
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
