/**
 * Begins transactions: a change, its event, its audit row and its idempotency record are committed together or not
 * at all.
 */

import type { Database } from '../database/executor.ts'
import type { Context } from './context.ts'
import { forTenant, transactionContext, withoutKey } from './create-context.ts'
import { withIdempotency } from './idempotency/idempotency.ts'

/** Changes a tenant's rows. Inside another transaction, the work becomes a part of it. */
export function inTransaction<T>(context: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  return context.transaction === null ? beginForTenant(context, work) : work(context)
}

/** Changes tenants, users, sessions or keys. Inside another transaction, the work becomes a part of it. */
export function inCatalogue<T>(context: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  return context.transaction === null ? begin(context, context.shared.catalogueDatabase, work) : work(context)
}

/**
 * Changes rows of the catalogue like `inCatalogue`. If the context is in a transaction of a tenant's own database, the
 * work gets a separate transaction, which commits first and stays committed even if that of the tenant fails. It has no
 * idempotency record: a request that is repeated after such a failure does the work again.
 */
export async function inCatalogueFirst<T>(
  context: Context,
  work: (inside: Context) => Promise<T>,
): Promise<T> {
  const { shared, tenant, transaction, transactionDatabase } = context
  const { catalogueDatabase: catalogue } = shared
  if (transaction === null || transactionDatabase === catalogue) return inCatalogue(context, work)
  return begin(withoutKey(forTenant(context, tenant)), catalogue, work)
}

/**
 * Runs a transaction on a tenant's rows. The catalogue first marks a tenant with its own database as pending, so
 * that its deliveries are found after a crash. Usually it is marked already, and nothing waits before the transaction.
 */
function beginForTenant<T>(context: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  const { tenantDatabase, shared, tenant } = context
  const isOwn = tenantDatabase !== shared.catalogueDatabase
  const marked = isOwn ? shared.markPendingTenant(tenant.id) : null
  return marked === null
    ? begin(context, tenantDatabase, work)
    : marked.then(() => begin(context, tenantDatabase, work))
}

function begin<T>(context: Context, database: Database, work: (inside: Context) => Promise<T>): Promise<T> {
  const { owner, idempotency } = context
  const options = owner === null ? {} : { owner } // whose share of the connections it uses
  return database.transaction((transaction) => {
    const inside = transactionContext(context, database, transaction)
    return idempotency === null ? work(inside) : withIdempotency(inside, transaction, idempotency, work)
  }, options)
}
