/** Caches the settings of tenants, so that reading one needs no query. */
import { TenantData } from '../../../database/data.ts'
import { resync } from '../../../database/executor.ts'
import { LruMap } from '../../../database/lru-map.ts'
import type { Context, Tenant, TenantSettings } from '../../context.ts'
import { changedTenant } from '../directory.ts'
import { foldTenantId } from '../tenant-id.ts'
import { withTenantDatabase } from '../with-database.ts'
import type { DeclaredSettings, SettingValues } from './declared.ts'
import type { TenantSetting } from './setting.ts'
import { findSettings } from './sql.ts'

/** The maximum size of the cached settings of all tenants, as stored text. Each tenant counts as 1 KiB more. */
const maxCachedBytes = 16 * 1024 * 1024
const entryBytes = 1024

/**
 * How long settings from a tenant's own database are used. Changes there cannot be announced in their transaction,
 * because the announcements of instances are sent by the catalogue's database.
 */
const ownDatabaseMaxAgeMs = 800

const changePrefix = 'tenantSettings:'

interface Entry {
  values: SettingValues
  bytes: number
  /**
   * Whether the values are from the tenant's own database: after a move between databases they are not used any
   * more.
   */
  isOfOwnDatabase: boolean
  /** The moment at which the values are read again, by the monotonic clock. */
  staleAtMs: number
}

export class CachedTenantSettings implements TenantSettings {
  readonly declared: DeclaredSettings
  readonly #entries = new LruMap<string, Entry>(maxCachedBytes, { weigh: (_, { bytes }) => bytes })
  /** Transactions that have changed the settings of their tenant. */
  readonly #changing = new WeakSet<object>()
  /** Grows with each change, so that a look-up that began before it is not cached. */
  #generation = 0

  constructor(declared: DeclaredSettings) {
    this.declared = declared
  }

  read(context: Context): SettingValues | Promise<SettingValues> {
    const { transaction, tenant } = context
    if (transaction !== null && this.#changing.has(transaction)) return this.#load(context)
    const known = this.#entries.peek(foldTenantId(tenant.id))
    return known !== undefined && isCurrent(known, tenant) ? known.values : this.#load(context)
  }

  async changed(inside: Context): Promise<void> {
    const { shared, tenant, transaction, transactionDatabase } = inside
    if (transaction === null) throw new Error('Settings were changed outside a transaction.')
    this.#changing.add(transaction)
    transaction.afterCommit(() => this.#forget(tenant.id))
    if (transactionDatabase === shared.catalogueDatabase)
      await transaction.announce(`${changePrefix}${foldTenantId(tenant.id)}`)
  }

  /**
   * Called for a change of the settings, and for a change of the tenant itself, which may have been moved or erased.
   */
  invalidate(change: string): void {
    const tenant = change.startsWith(changePrefix) ? change.slice(changePrefix.length) : changedTenant(change)
    if (tenant !== null) this.#forget(tenant)
    else if (change === resync) {
      this.#generation++
      this.#entries.clear()
    }
  }

  #forget(tenantId: string): void {
    this.#generation++
    this.#entries.delete(foldTenantId(tenantId))
  }

  async #load(context: Context): Promise<SettingValues> {
    const { tenant, transaction } = context
    const generation = this.#generation
    const beganMs = performance.now()
    const row = transaction === null ? await this.#find(context) : await findSettings(context.data)
    const values = row === null ? this.declared.defaults : this.declared.valuesOf(JSON.parse(row.content))
    // Values read inside a transaction are not cached, because the transaction may be rolled back.
    if (transaction === null && generation === this.#generation) {
      const staleAtMs = tenant.hasOwnDatabase ? beganMs + ownDatabaseMaxAgeMs : Number.POSITIVE_INFINITY
      const bytes = entryBytes + (row?.content.length ?? 0)
      const isOfOwnDatabase = tenant.hasOwnDatabase
      this.#entries.set(foldTenantId(tenant.id), { values, bytes, isOfOwnDatabase, staleAtMs })
    }
    return values
  }

  /** Reads the settings. It opens the tenant's database itself, because a request may not have opened it. */
  #find({ owner, shared, tenant }: Context) {
    return withTenantDatabase(shared, tenant, (database) =>
      findSettings(
        new TenantData(tenant.id, owner === null ? database.executor : database.executorFor(owner)),
      ),
    )
  }
}

function isCurrent({ isOfOwnDatabase, staleAtMs }: Entry, { hasOwnDatabase }: Tenant): boolean {
  return isOfOwnDatabase === hasOwnDatabase && performance.now() < staleAtMs
}

/**
 * Reads the value that the context's tenant has for a setting. It is usually cached, so that no query is needed.
 * Inside a transaction that changes settings, it is the changed value.
 * @throws Error for a setting that no feature declares, or for a tenant with its own database inside a transaction
 *   of the catalogue, when the value is not cached
 */
export async function tenantSetting<T>(context: Context, definition: TenantSetting<T>): Promise<T> {
  const { tenantSettings } = context.shared
  const name = tenantSettings.declared.nameOf(definition)
  return (await tenantSettings.read(context))[name] as T // validated against the schema of the definition
}
