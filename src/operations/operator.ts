/** Whoever runs the service, at its command line. */
import { type Actor, type Context, hostTenantId, type Shared, type Tenant } from '../core/context.ts'
import { newId } from '../core/id.ts'
import { CatalogueData, TenantData } from '../database/data.ts'

/** No user has this id. */
const operator: Actor = {
  id: '00000000-0000-0000-0000-000000000000',
  userName: 'operator',
  tenantId: hostTenantId,
  credential: { kind: 'operator' },
  roles: ['Admin'],
}

/** @param host the host tenant, whose rows are in the catalogue database */
export function operatorContext(shared: Shared, host: Tenant): Context {
  const database = shared.catalogueDatabase
  return {
    shared,
    requestId: newId(),
    clientAddress: null,
    signal: null,
    tenant: host,
    owner: null,
    actor: operator,
    idempotency: null,
    hops: 0,
    origin: null,
    tenantDatabase: database,
    data: new TenantData(host.id, database.executor),
    catalogue: new CatalogueData(database.executor),
    transaction: null,
    transactionDatabase: null,
  }
}
