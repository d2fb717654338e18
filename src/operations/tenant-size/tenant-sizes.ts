/** Caches the sizes of tenants. They are measured one after the other, and only when somebody reads them. */
import { statSync } from 'node:fs'
import type { Context, Tenant } from '../../core/context.ts'
import { currentTenant, registry } from '../../core/tenant/directory.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import type { Database } from '../../database/executor.ts'
import { LruMap } from '../../database/lru-map.ts'
import { databaseSize } from '../../database/postgres/database-size.ts'
import { findConnectionString } from '../../tenancy/sql.ts'
import { storedTarget } from '../tenant-database.ts'
import { measureTables } from './measure.ts'
import type { SizeEstimate, TenantSize } from './schema.ts'

/** How long a size is cached. A measurement takes the database at most two seconds, a small part of that time. */
const freshMs = 10 * 60 * 1000
const maxKept = 5000
/** How many tenants wait to be measured. Further ones are measured when the list is read again. */
const maxWaiting = 200

export class TenantSizes {
  readonly #known = new LruMap<string, TenantSize>(maxKept)
  readonly #measuring = new Map<string, Promise<TenantSize>>()
  readonly #waiting = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()
  #isWorking = false

  /** @throws ServiceError `unavailable` while its own database cannot be reached; DatabaseUnavailable */
  async read(context: Context, tenant: Tenant): Promise<TenantSize> {
    const known = this.#fresh(context, tenant.id)
    if (known !== null) return known
    const measuring = this.#measuring.get(tenant.id)
    if (measuring !== undefined) return measuring
    const size = this.#last.then(() => this.#measure(context, tenant))
    this.#measuring.set(tenant.id, size)
    this.#last = size.catch(() => undefined) // its readers get the error
    try {
      return await size
    } finally {
      this.#measuring.delete(tenant.id)
    }
  }

  /** @returns the last known size; `null` at first, when this call begins to measure it for the next one */
  estimate(context: Context, tenantId: string): SizeEstimate | null {
    if (this.#fresh(context, tenantId) === null && this.#waiting.size < maxWaiting) {
      this.#waiting.add(tenantId)
      if (!this.#isWorking) void this.#work(context)
    }
    const known = this.#known.get(tenantId)
    if (known === undefined) return null
    const { rows, bytes, isComplete, measuredAt } = known
    return { rows, bytes, isComplete, measuredAt }
  }

  async #work(context: Context): Promise<void> {
    this.#isWorking = true
    for (const id of this.#waiting) {
      try {
        const tenant = await currentTenant(context, id)
        if (tenant !== null) await this.read(context, tenant)
      } catch (error) {
        context.shared.log.debug({ err: error, tenantId: id }, 'size of a tenant not measured')
      }
      this.#waiting.delete(id)
    }
    this.#isWorking = false
  }

  #fresh({ shared }: Context, tenantId: string): TenantSize | null {
    const known = this.#known.get(tenantId)
    if (known === undefined) return null
    return shared.clock().getTime() - Date.parse(known.measuredAt) < freshMs ? known : null
  }

  async #measure(context: Context, tenant: Tenant): Promise<TenantSize> {
    const { tenantDatabases, clock } = context.shared
    const lease = await tenantDatabases.lease(tenant)
    try {
      const tables = await measureTables(lease.database, tenant.id)
      const sum = (name: 'rows' | 'bytes') => tables.reduce((total, table) => total + table[name], 0)
      const size = {
        rows: sum('rows'),
        bytes: sum('bytes'),
        isComplete: tables.every(({ isComplete }) => isComplete),
        measuredAt: clock().toISOString(),
        databaseBytes: tenant.hasOwnDatabase ? await databaseBytes(context, tenant, lease.database) : null,
        tables,
      }
      this.#known.set(tenant.id, size)
      return size
    } finally {
      lease.release()
    }
  }
}

async function databaseBytes(context: Context, tenant: Tenant, database: Database): Promise<number> {
  if (database.dialect === 'postgres') return databaseSize(database.executor)
  const target = storedTarget(context, await findConnectionString(registry(context), foldTenantId(tenant.id)))
  return target.kind === 'sqlite' ? bytesOf(target.path) + bytesOf(`${target.path}-wal`) : 0
}

/** @returns the size of a file; 0 if it does not exist */
export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
