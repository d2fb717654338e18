/** The only place that creates contexts: for a request, for background work, for the operator, in a transaction. */
import { CatalogueData, InstallationData, ReachedData, TenantData } from '../database/data.ts'
import type { Database, Executor, Transaction } from '../database/executor.ts'
import { Reach, type RuleCaller } from '../database/row-rule.ts'
import {
  type Actor,
  type Context,
  hostTenantId,
  type Idempotency,
  type Shared,
  type Tenant,
} from './context.ts'
import { newId } from './id.ts'
import { everyPermission, type Permission } from './permission.ts'

export interface RequestSource {
  id: string
  ip: string
  userAgent: string | null
  /** @returns a signal that is aborted when the client disconnects; most requests never ask for it */
  signal?: () => AbortSignal
}

export interface RequestCaller {
  actor: Actor | null
  tenant: Tenant | null
  idempotency: Idempotency | null
  /** The tenant's database; `null` for a route that does not open it. */
  database: Database | null
}

export function requestContext(shared: Shared, source: RequestSource, caller: RequestCaller): Context {
  const { id: requestId, ip: clientAddress, userAgent, signal = null } = source
  const { actor, tenant, idempotency, database } = caller
  const owner = tenant?.id ?? noTenant
  return new BaseContext({
    ...{ shared, requestId, clientAddress, userAgent, signal, tenant, owner, actor, idempotency, database },
    authority: 'caller',
  })
}

/** For background work of a tenant: it has no actor, and uses the connections of the service. */
export function tenantContext(shared: Shared, tenant: Tenant, database: Database): Context {
  return new BaseContext({ ...background(shared), tenant, database })
}

interface JobSource {
  tenant: Tenant
  database: Database
  /** The name of the job: the audit has it as the name of the actor. */
  job: string
  signal: AbortSignal | null
  hops: number
  origin: string | null
}

/** For a job of a tenant, or work of the operator for it: it may do what an administrator of the tenant may, with the connections of the tenant. */
export function jobContext(
  shared: Shared,
  { tenant, database, job, signal, hops, origin }: JobSource,
): Context {
  const actor: Actor = {
    id: noUser,
    userName: job,
    tenantId: tenant.id,
    credential: { kind: 'job' },
    roles: ['Admin'],
    permissions: shared.permissions.ofRole('Admin', tenant.id),
    impersonator: null,
  }
  const source = { ...background(shared), signal: signal === null ? null : () => signal, hops, origin }
  return new BaseContext({ ...source, tenant, owner: tenant.id, actor, database })
}

/** @param host the host tenant, whose rows are in the catalogue database */
export function operatorContext(shared: Shared, host: Tenant, signal: AbortSignal | null = null): Context {
  const database = shared.catalogueDatabase
  const aborted = signal === null ? null : () => signal
  return new BaseContext({ ...background(shared), tenant: host, actor: operator, database, signal: aborted })
}

/** For background work of the service on rows of many tenants, in a transaction that it has begun itself. */
export function serviceContext(shared: Shared, database: Database, transaction: Transaction): Context {
  return transactionContext(new BaseContext({ ...background(shared), database }), database, transaction)
}

/** The context inside a transaction. @param database of the transaction */
export function transactionContext(outer: Context, database: Database, transaction: Transaction): Context {
  return new TransactionContext(outer, { database, transaction })
}

/**
 * For the action of a webhook, in the transaction of that webhook. It has no actor.
 * @param cause the loop count and the origin of events that the action publishes
 */
export function webhookContext(inside: Context, cause: { hops: number; origin: string }): Context {
  const { transaction, transactionDatabase: database } = inside
  if (transaction === null || database === null)
    throw new Error('The action of a webhook requires a transaction.')
  return new TransactionContext(inside, {
    ...{ database, transaction, actor: null, idempotency: null, authority: 'tenant' },
    ...cause,
  })
}

/**
 * The same context with the rights of the operator, for code that decides itself who may do what: a sign-up creates a
 * tenant for a caller without a token. Request, client and tenant stay the same; the audit names the operator.
 */
export function asOperator(context: Context): Context {
  const actor = { ...operator, impersonator: context.actor?.impersonator ?? null }
  if (context instanceof BaseContext) return context.with({ actor, authority: 'tenant' })
  const { transaction, transactionDatabase: database } = context
  if (transaction === null || database === null)
    throw new Error('The context is neither of a request nor of a job.')
  return new TransactionContext(context, { database, transaction, actor, authority: 'tenant' })
}

/**
 * The same context with the authority of the tenant: rules of rows do not apply. For code that decides itself who may do
 * what, such as a number that is counted over all rows.
 */
export function asTenant(context: Context): Context {
  if (context instanceof BaseContext) return context.with({ authority: 'tenant' })
  const { transaction, transactionDatabase: database } = context
  if (transaction === null || database === null)
    throw new Error('The context is neither of a request nor of a job.')
  return new TransactionContext(context, { database, transaction, authority: 'tenant' })
}

/** What the caller reaches; `null`: every row. Kept for the request, whose transactions have the same caller. */
function reachOf({ shared, authority, actor }: Context): Reach | null {
  if (authority === 'tenant' || shared.rowRules.size === 0) return null
  return new Reach(shared.rowRules, callerOf(actor))
}

const nobody: RuleCaller = { id: null, attribute: () => [], may: () => false }

function callerOf(actor: Actor | null): RuleCaller {
  if (actor === null) return nobody
  return {
    id: actor.credential.kind === 'session' ? actor.id : null,
    attribute: () => [],
    may: (permission) => actor.permissions.has(permission as Permission), // a rule names one
  }
}

/** The same request for a tenant that it names in its own way. The context does not open the tenant's database. */
export function forTenant(context: Context, tenant: Tenant): Context {
  const { shared, requestId: id, clientAddress, userAgent, actor, idempotency } = context
  const source = { id, ip: clientAddress ?? '', userAgent }
  return requestContext(shared, source, { actor, tenant, idempotency, database: null })
}

/**
 * The same context with the catalogue's rows of another tenant.
 * @param _installation which alone reaches every tenant, so that its reason stands where it is asked for
 */
export function reaching(context: Context, _installation: InstallationData, tenantId: string): Context {
  return withRowsOf(context, tenantId)
}

/** The same context with the catalogue's rows of the actor's own tenant: an administrator of the host acts for others. */
export function atHome(context: Context): Context {
  if (context.actor === null) throw new Error('This context has no actor.')
  return withRowsOf(context, context.actor.tenantId)
}

function withRowsOf(context: Context, tenantId: string): Context {
  if (context instanceof BaseContext) return context.reaching(tenantId)
  const { transaction, transactionDatabase: database } = context
  if (transaction === null || database === null)
    throw new Error('The context is neither of a request nor of a job.')
  return new TransactionContext(context, { database, transaction, reached: tenantId })
}

/** The owner of requests without a tenant, which share its connections. No tenant has this id. */
const noTenant = ''

/** No user has this id. */
const noUser = '00000000-0000-0000-0000-000000000000'

/** The actor of the command line. */
const operator: Actor = {
  id: noUser,
  userName: 'operator',
  tenantId: hostTenantId,
  credential: { kind: 'operator' },
  roles: ['Admin'],
  permissions: everyPermission,
  impersonator: null,
}

interface BaseFields extends RequestCaller {
  shared: Shared
  requestId: string
  clientAddress: string | null
  userAgent: string | null
  signal: (() => AbortSignal) | null
  owner: string | null
  hops?: number
  origin?: string | null
  /** The tenant whose rows of the catalogue are reached, if it is another one. */
  reached?: string | null
  authority: Context['authority']
}

function background(shared: Shared): BaseFields {
  return {
    ...{ shared, requestId: newId(), clientAddress: null, userAgent: null, signal: null },
    ...{
      tenant: null,
      owner: null,
      actor: null,
      idempotency: null,
      database: null,
      authority: 'tenant' as const,
    },
  }
}

class BaseContext implements Context {
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

  /** With the authority of the tenant. */
  with(fields: Partial<BaseFields>): Context {
    return new BaseContext({ ...this.#fields(), ...fields })
  }

  reaching(tenantId: string): Context {
    if (tenantId === (this.#reached ?? this.#tenant?.id)) return this
    return new BaseContext({ ...this.#fields(), reached: tenantId })
  }

  #fields(): BaseFields {
    const { shared, requestId, clientAddress, userAgent, owner, actor, idempotency, hops, origin } = this
    const { authority } = this
    return {
      ...{ shared, requestId, clientAddress, userAgent, owner, actor, idempotency, hops, origin, authority },
      ...{ signal: this.#signalOf, tenant: this.#tenant, database: this.#database, reached: this.#reached },
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

  get installation(): InstallationData {
    return new InstallationData(this.#catalogueExecutor)
  }

  get #catalogueExecutor(): Executor {
    const { owner, shared } = this
    const { catalogueDatabase: database } = shared
    return owner === null ? database.executor : database.executorFor(owner)
  }

  #openData(): TenantData {
    const { owner, tenant, tenantDatabase: database } = this
    if (owner === null) return new TenantData(tenant.id, database.executor)
    const data = new TenantData(tenant.id, database.executorFor(owner), database)
    const reach = reachOf(this)
    return reach === null ? data : new ReachedData(data, reach, database)
  }
}

interface TransactionFields {
  database: Database
  transaction: Transaction
  actor?: Actor | null
  idempotency?: Idempotency | null
  hops?: number
  origin?: string
  reached?: string
  authority?: Context['authority']
}

/** Reaches one database only: of a change that spans two, one half could be lost. */
class TransactionContext implements Context {
  readonly shared: Shared
  readonly requestId: string
  readonly clientAddress: string | null
  readonly userAgent: string | null
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
    const data = new TenantData(this.tenant.id, this.transaction)
    const reach = reachOf(this)
    return reach === null ? data : new ReachedData(data, reach, null)
  }

  get catalogueTenantId(): string {
    return this.#reached ?? this.#outer.catalogueTenantId
  }

  get catalogue(): CatalogueData {
    return new CatalogueData(this.catalogueTenantId, this.#catalogueTransaction)
  }

  get installation(): InstallationData {
    return new InstallationData(this.#catalogueTransaction)
  }

  get #catalogueTransaction(): Transaction {
    if (this.shared.catalogueDatabase !== this.transactionDatabase)
      throw new Error('The catalogue is another database.')
    return this.transaction
  }
}
