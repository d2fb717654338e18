/** One change, its event, its audit row and its idempotency record: all of it in one transaction. */

import type { Database } from '../database/executor.ts'
import type { Context } from './context.ts'
import { within } from './create-context.ts'
import { doOnce } from './idempotency/once.ts'

/** Changes a tenant's rows. Inside another transaction it becomes a part of that one. */
export function inTransaction<T>(context: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  return context.transaction === null ? beginForTenant(context, work) : work(context)
}

/** Changes tenants, users, sessions or keys. Inside another transaction it becomes a part of that one. */
export function inCatalogue<T>(context: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  return context.transaction === null ? begin(context, context.shared.catalogueDatabase, work) : work(context)
}

/** In a database of the tenant's own it has to be known first that something may come of it. */
async function beginForTenant<T>(context: Context, work: (inside: Context) => Promise<T>): Promise<T> {
  const { tenantDatabase, shared, tenant } = context
  if (tenantDatabase !== shared.catalogueDatabase) await shared.markPendingTenant(tenant.id)
  return begin(context, tenantDatabase, work)
}

function begin<T>(context: Context, database: Database, work: (inside: Context) => Promise<T>): Promise<T> {
  const { owner, once } = context
  const options = owner === null ? {} : { owner }
  return database.transaction((transaction) => {
    const inside = within(context, database, transaction)
    return once === null ? work(inside) : doOnce(inside, transaction, once, work)
  }, options)
}
