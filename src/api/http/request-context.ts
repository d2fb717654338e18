import type { ServerResponse } from 'node:http'
import type { Actor, Context, Idempotency, Lease, Shared, Tenant } from '../../core/context.ts'
import { CatalogueData, TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'

/** Requests without a tenant share among themselves. No tenant has this id. */
const noTenant = ''

/** The context of one request, outside a transaction. */
export class RequestContext implements Context {
  readonly shared: Shared
  readonly requestId: string
  readonly clientAddress: string
  readonly actor: Actor | null
  readonly idempotency: Idempotency | null
  readonly hops = 0
  readonly origin = null
  readonly transaction = null
  readonly transactionDatabase = null
  readonly #tenant: Tenant | null
  readonly #lease: Lease | null
  readonly #response: ServerResponse | null
  #signal: AbortSignal | null = null
  #data: TenantData | null = null
  #catalogue: CatalogueData | null = null

  constructor(
    shared: Shared,
    request: { id: string; ip: string; response?: ServerResponse },
    caller: {
      actor: Actor | null
      tenant: Tenant | null
      idempotency: Idempotency | null
      lease: Lease | null
    },
  ) {
    this.shared = shared
    this.requestId = request.id
    this.clientAddress = request.ip
    this.actor = caller.actor
    this.idempotency = caller.idempotency
    this.#tenant = caller.tenant
    this.#lease = caller.lease
    this.#response = request.response ?? null
  }

  /** Made when it is asked for: most requests are answered before anybody could wait. */
  get signal(): AbortSignal | null {
    if (this.#response !== null) this.#signal ??= signalOf(this.#response)
    return this.#signal
  }

  get tenant(): Tenant {
    if (this.#tenant === null) throw new Error('This route resolves no tenant.')
    return this.#tenant
  }

  get owner(): string {
    return this.#tenant?.id ?? noTenant
  }

  get tenantDatabase(): Database {
    if (this.#lease === null) throw new Error('This route does not open the database of its tenant.')
    return this.#lease.database
  }

  get data(): TenantData {
    const { tenantDatabase, owner, tenant } = this
    this.#data ??= new TenantData(tenant.id, tenantDatabase.executorFor(owner), tenantDatabase)
    return this.#data
  }

  get catalogue(): CatalogueData {
    this.#catalogue ??= new CatalogueData(this.shared.catalogueDatabase.executorFor(this.owner))
    return this.#catalogue
  }
}

/** The response closes when it is sent, too, and then nobody listens any more. */
function signalOf(response: ServerResponse): AbortSignal {
  if (response.closed) return AbortSignal.abort()
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  return controller.signal
}
