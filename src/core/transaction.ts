/** One transaction for a change, its event, its audit row and its idempotency record. */

import { CatalogueData, TenantData } from '../database/data.ts'
import type { Database, Transaction } from '../database/executor.ts'
import type { Actor, Context, Idempotency, Shared, Tenant } from './context.ts'
import { withIdempotency } from './idempotency/idempotency.ts'

/** Changes a tenant's rows. Inside another transaction, the work becomes a part of it. */
export function inTransaction<T>(context: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  return context.transaction === null ? beginForTenant(context, work) : work(context)
}

/** Changes tenants, users, sessions or keys. Inside another transaction, the work becomes a part of it. */
export function inCatalogue<T>(context: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  return context.transaction === null ? begin(context, context.shared.catalogueDatabase, work) : work(context)
}

/** A context inside a transaction that was begun elsewhere. @param database of the transaction */
export function within(context: Context, database: Database, transaction: Transaction): Context {
  return new TransactionContext(context, database, transaction)
}

/** In a tenant's own database the tenant is marked as pending first. */
async function beginForTenant<T>(context: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  const { tenantDatabase, shared, tenant } = context
  if (tenantDatabase !== shared.catalogueDatabase) await shared.markPendingTenant(tenant.id)
  return begin(context, tenantDatabase, work)
}

function begin<T>(context: Context, database: Database, work: (inside: Context) => Promise<T>): Promise<T> {
  const { owner, idempotency } = context
  const options = owner === null ? {} : { owner }
  return database.transaction((transaction) => {
    const inside = new TransactionContext(context, database, transaction)
    return idempotency === null ? work(inside) : withIdempotency(inside, transaction, idempotency, work)
  }, options)
}

/** Reaches one database only: a change in two databases could be committed in one of them alone. */
class TransactionContext implements Context {
  readonly shared: Shared
  readonly requestId: string
  readonly clientAddress: string | null
  readonly signal = null
  readonly tenant: Tenant
  readonly owner: string | null
  readonly actor: Actor | null
  readonly idempotency: Idempotency | null
  readonly hops: number
  readonly origin: string | null
  readonly transaction: Transaction
  readonly #outer: Context
  readonly #database: Database

  constructor(outer: Context, database: Database, transaction: Transaction) {
    this.shared = outer.shared
    this.requestId = outer.requestId
    this.clientAddress = outer.clientAddress
    this.tenant = outer.tenant
    this.owner = outer.owner
    this.actor = outer.actor
    this.idempotency = outer.idempotency
    this.hops = outer.hops
    this.origin = outer.origin
    this.transaction = transaction
    this.#outer = outer
    this.#database = database
  }

  get transactionDatabase(): Database {
    return this.#database
  }

  get tenantDatabase(): Database {
    return this.#outer.tenantDatabase
  }

  get data(): TenantData {
    if (this.tenantDatabase !== this.#database) throw new Error('The tenant’s rows are in another database.')
    return new TenantData(this.tenant.id, this.transaction)
  }

  get catalogue(): CatalogueData {
    if (this.shared.catalogueDatabase !== this.#database)
      throw new Error('The catalogue is another database.')
    return new CatalogueData(this.transaction)
  }
}
