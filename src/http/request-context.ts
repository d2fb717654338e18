import type { Actor, Context, Lease, Once, Shared, Tenant } from '../context.ts'
import { CatalogueData, TenantData } from '../database/data.ts'
import type { Database } from '../database/executor.ts'

/** The context of one request, outside a transaction. */
export class RequestContext implements Context {
  readonly shared: Shared
  readonly requestId: string
  readonly clientAddress: string
  readonly actor: Actor | null
  readonly once: Once | null
  readonly hops = 0
  readonly transaction = null
  readonly transactionDatabase = null
  readonly #tenant: Tenant | null
  readonly #lease: Lease | null
  #data: TenantData | null = null
  #catalogue: CatalogueData | null = null

  constructor(
    shared: Shared,
    request: { id: string; ip: string },
    caller: { actor: Actor | null; tenant: Tenant | null; once: Once | null; lease: Lease | null },
  ) {
    this.shared = shared
    this.requestId = request.id
    this.clientAddress = request.ip
    this.actor = caller.actor
    this.once = caller.once
    this.#tenant = caller.tenant
    this.#lease = caller.lease
  }

  get tenant(): Tenant {
    if (this.#tenant === null) throw new Error('This route resolves no tenant.')
    return this.#tenant
  }

  get tenantDatabase(): Database {
    if (this.#lease === null) throw new Error('This route does not open the database of its tenant.')
    return this.#lease.database
  }

  get data(): TenantData {
    this.#data ??= new TenantData(this.tenant.id, this.tenantDatabase.executor)
    return this.#data
  }

  get catalogue(): CatalogueData {
    this.#catalogue ??= new CatalogueData(this.shared.catalogueDatabase.executor)
    return this.#catalogue
  }
}
