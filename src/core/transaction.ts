/** One transaction for a change, its event, its audit row and its idempotency record. */

import type { Database } from '../database/executor.ts'
import type { Context } from './context.ts'
import { forTenant, transactionContext } from './create-context.ts'
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
 * Changes rows of the catalogue like `inCatalogue`. Inside a transaction of a tenant's own database, the work has a
 * transaction of its own, which commits first and stays committed whatever becomes of the other.
 */
export async function inCatalogueFirst<T>(
  context: Context,
  work: (inside: Context) => Promise<T>,
): Promise<T> {
  const { shared, tenant, transaction, transactionDatabase } = context
  const { catalogueDatabase: catalogue } = shared
  if (transaction === null || transactionDatabase === catalogue) return inCatalogue(context, work)
  const outside = forTenant(context, tenant)
  return catalogue.transaction((beside) => work(transactionContext(outside, catalogue, beside)))
}

/** Runs a transaction on a tenant's rows. A tenant with its own database is marked as pending first. */
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
  const options = owner === null ? {} : { owner }
  return database.transaction((transaction) => {
    const inside = transactionContext(context, database, transaction)
    return idempotency === null ? work(inside) : withIdempotency(inside, transaction, idempotency, work)
  }, options)
}
