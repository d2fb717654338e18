/**
 * The two kinds of contexts: `BaseContext` for a request or background work, `TransactionContext` inside a transaction.
 * Only `create-context.ts` makes them.
 */
import { CatalogueData, InstallationData, ReachedData, TenantData } from '../database/data.ts'
import type { Database, Executor, Transaction } from '../database/executor.ts'
import type { Actor, Context, Idempotency, Shared, Tenant } from './context.ts'
import { reachOf } from './reach.ts'

export interface RequestCaller {
  actor: Actor | null
  tenant: Tenant | null
  idempotency: Idempotency | null
  /** The tenant's database; `null` for a route that does not open it. */
  database: Database | null
}

/** The members that `Context` has as well are described there. */
export interface BaseFields extends RequestCaller {
  shared: Shared
  requestId: string
  clientAddress: string | null
  userAgent: string | null
  /** Makes the signal when something asks for it first. */
  signal: (() => AbortSignal) | null
  owner: string | null
  hops?: number
  origin?: string | null
  /** The tenant whose rows of the catalogue are read and changed, if it is not the tenant of the context. */
  reached?: string | null
  authority: Context['authority']
}

export class BaseContext implements Context {
  readonly shared: Shared
  readonly requestId: string
  readonly clientAddress: string | null
  readonly userAgent: string | null
  readonly owner: string | null
  readonly actor: Actor | null
  readonly authority: Context['authority']
  readonly idempotency: Idempotency | null
  readonly hops: number
  readonly origin: string | null
  readonly transaction = null
  readonly transactionDatabase = null
  readonly #tenant: Tenant | null
  readonly #database: Database | null
  readonly #signalOf: (() => AbortSignal) | null
  readonly #reached: string | null
  #signal: AbortSignal | null = null
  #data: TenantData | null = null
  #catalogue: CatalogueData | null = null

  constructor(given: BaseFields) {
    this.shared = given.shared
    this.requestId = given.requestId
    this.clientAddress = given.clientAddress
    this.userAgent = given.userAgent
    this.owner = given.owner
    this.actor = given.actor
    this.idempotency = given.idempotency
    this.hops = given.hops ?? 0
    this.origin = given.origin ?? null
    this.#tenant = given.tenant
    this.#database = given.database
    this.#signalOf = given.signal
    this.#reached = given.reached ?? null
    this.authority = given.authority
  }

  /** @returns a copy of the context with other fields */
  with(fields: Partial<BaseFields>): Context {
    return new BaseContext({ ...this.#fields(), ...fields })
  }

  /** @returns a copy of the context whose `catalogue` has the rows of that tenant */
  reaching(tenantId: string): Context {
    if (tenantId === (this.#reached ?? this.#tenant?.id)) return this
    return new BaseContext({ ...this.#fields(), reached: tenantId })
  }

  #fields(): BaseFields {
    const { shared, requestId, clientAddress, userAgent, owner, actor, idempotency, hops, origin } = this
    const { authority } = this
    return {
      shared,
      requestId,
      clientAddress,
      userAgent,
      owner,
      actor,
      idempotency,
      hops,
      origin,
      authority,
      signal: this.#signalOf,
      tenant: this.#tenant,
      database: this.#database,
      reached: this.#reached,
    }
  }

  get signal(): AbortSignal | null {
    if (this.#signalOf !== null) this.#signal ??= this.#signalOf()
    return this.#signal
  }

  get tenant(): Tenant {
    if (this.#tenant === null) throw new Error('This context has no tenant.')
    return this.#tenant
  }

  get tenantDatabase(): Database {
    if (this.#database === null) throw new Error('This context has not opened the database of its tenant.')
    return this.#database
  }

  get data(): TenantData {
    this.#data ??= this.#openData()
    return this.#data
  }

  get catalogueTenantId(): string {
    return this.#reached ?? this.tenant.id
  }

  get catalogue(): CatalogueData {
    this.#catalogue ??= new CatalogueData(this.catalogueTenantId, this.#catalogueExecutor)
    return this.#catalogue
  }

  get catalogueRows(): TenantData {
    const { catalogueDatabase } = this.shared
    return reached(this, new TenantData(this.catalogueTenantId, this.#catalogueExecutor, catalogueDatabase), {
      database: catalogueDatabase,
    })
  }

  get installationData(): InstallationData {
    return new InstallationData(this.#catalogueExecutor, this.shared.catalogueDatabase)
  }

  get #catalogueExecutor(): Executor {
    const { owner, shared } = this
    const { catalogueDatabase: database } = shared
    return owner === null ? database.executor : database.executorFor(owner)
  }

  #openData(): TenantData {
    const { owner, tenant, tenantDatabase: database } = this
    if (owner === null) return new TenantData(tenant.id, database.executor)
    return reached(this, new TenantData(tenant.id, database.executorFor(owner), database), { database })
  }
}

/** Members that are left out are those of the context outside. */
export interface TransactionFields {
  database: Database
  transaction: Transaction
  actor?: Actor | null
  idempotency?: Idempotency | null
  hops?: number
  origin?: string
  reached?: string
  authority?: Context['authority']
}

/** A context that allows one database only: of a change in two databases, one half could be lost. */
export class TransactionContext implements Context {
  readonly shared: Shared
  readonly requestId: string
  readonly clientAddress: string | null
  readonly userAgent: string | null
  /** A transaction is not ended half-way because nobody waits for it any more. */
  readonly signal = null
  readonly owner: string | null
  readonly actor: Actor | null
  readonly authority: Context['authority']
  readonly idempotency: Idempotency | null
  readonly hops: number
  readonly origin: string | null
  readonly transaction: Transaction
  readonly transactionDatabase: Database
  readonly #outer: Context
  readonly #reached: string | null
  #data: TenantData | null = null

  constructor(outer: Context, inside: TransactionFields) {
    const {
      actor = outer.actor,
      idempotency = outer.idempotency,
      hops = outer.hops,
      origin = outer.origin,
      authority = outer.authority,
    } = inside
    this.shared = outer.shared
    this.requestId = outer.requestId
    this.clientAddress = outer.clientAddress
    this.userAgent = outer.userAgent
    this.owner = outer.owner
    this.actor = actor
    this.idempotency = idempotency
    this.hops = hops
    this.origin = origin
    this.transaction = inside.transaction
    this.transactionDatabase = inside.database
    this.#outer = outer
    this.#reached = inside.reached ?? null
    this.authority = authority
  }

  get tenant(): Tenant {
    return this.#outer.tenant
  }

  get tenantDatabase(): Database {
    return this.#outer.tenantDatabase
  }

  get data(): TenantData {
    if (this.tenantDatabase !== this.transactionDatabase)
      throw new Error('The tenant’s rows are in another database.')
    this.#data ??= this.#openData()
    return this.#data
  }

  /** Called once, so that the caller's access is decided once for all statements of the transaction. */
  #openData(): TenantData {
    return reached(this, new TenantData(this.tenant.id, this.transaction), { database: null })
  }

  get catalogueTenantId(): string {
    return this.#reached ?? this.#outer.catalogueTenantId
  }

  get catalogue(): CatalogueData {
    return new CatalogueData(this.catalogueTenantId, this.#catalogueTransaction)
  }

  get catalogueRows(): TenantData {
    const data = new TenantData(this.catalogueTenantId, this.#catalogueTransaction)
    return reached(this, data, { database: null })
  }

  get installationData(): InstallationData {
    return new InstallationData(this.#catalogueTransaction)
  }

  get #catalogueTransaction(): Transaction {
    if (this.shared.catalogueDatabase !== this.transactionDatabase)
      throw new Error('The catalogue is another database.')
    return this.transaction
  }
}

/**
 * @param database for scans; `null` inside a transaction
 * @returns the rows of the tenant to which the caller has access
 */
function reached(
  context: Context,
  data: TenantData,
  { database }: { database: Database | null },
): TenantData {
  const reach = reachOf(context)
  return reach === null ? data : new ReachedData(data, reach, database)
}
