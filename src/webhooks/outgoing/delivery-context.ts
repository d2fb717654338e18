import type { Context, Shared } from '../../core/context.ts'
import { newId } from '../../core/id.ts'
import { CatalogueData, TenantData } from '../../database/data.ts'
import type { Database, Transaction } from '../../database/executor.ts'

/** For changes by the delivery itself, in a transaction that it has opened. */
export function deliveryContext(
  shared: Shared,
  tenantId: string,
  database: Database,
  transaction: Transaction,
): Context {
  return {
    shared,
    requestId: newId(),
    clientAddress: null,
    signal: null,
    tenant: { ...nobody, id: tenantId, hasOwnDatabase: database !== shared.catalogueDatabase },
    owner: null,
    actor: null,
    idempotency: null,
    hops: 0,
    origin: null,
    tenantDatabase: database,
    data: new TenantData(tenantId, transaction),
    catalogue: new CatalogueData(transaction),
    transaction,
    transactionDatabase: database,
  }
}

/** Recording a delivery reads nothing but the tenant's id. */
const nobody = {
  name: '',
  subdomain: null,
  plan: null,
  isActive: true,
  createdAt: '',
  version: 0,
  pausedUntil: null,
  isBeingErased: false,
}
