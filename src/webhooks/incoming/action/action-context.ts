import type { Context } from '../../../core/context.ts'

/**
 * For one action, inside the transaction of its receipt: of the tenant, and of no actor.
 * @param hops of the receipt; events that the action publishes have one more
 * @param origin of these events
 */
export function actionContext(inside: Context, { hops, origin }: { hops: number; origin: string }): Context {
  return {
    shared: inside.shared,
    requestId: inside.requestId,
    clientAddress: inside.clientAddress,
    signal: null,
    tenant: inside.tenant,
    owner: inside.owner,
    actor: null,
    idempotency: null,
    hops: hops + 1,
    origin,
    tenantDatabase: inside.tenantDatabase,
    data: inside.data,
    // Not reachable from a transaction in a tenant's own database: the getter throws there.
    get catalogue() {
      return inside.catalogue
    },
    transaction: inside.transaction,
    transactionDatabase: inside.transactionDatabase,
  }
}
