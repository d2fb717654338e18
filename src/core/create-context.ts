/** Creates all contexts: for a request, for background work, for the operator, and inside a transaction. */
import type { InstallationData } from '../database/data.ts'
import type { Database, Transaction } from '../database/executor.ts'
import { noActorId, userIdOf } from './actor.ts'
import { noAttributes } from './attributes.ts'
import { type Actor, type Context, hostTenantId, type Shared, type Tenant } from './context.ts'
import {
  BaseContext,
  type BaseFields,
  type RequestCaller,
  TransactionContext,
  type TransactionFields,
} from './context-kinds.ts'
import { newId } from './id.ts'
import type { PresentOwner } from './owner.ts'
import { everyPermission } from './permission.ts'

export interface RequestSource {
  id: string
  ip: string
  userAgent: string | null
  /** @returns a signal that is aborted when the client disconnects; most requests never ask for it */
  signal?: () => AbortSignal
}

export function requestContext(shared: Shared, source: RequestSource, caller: RequestCaller): Context {
  const { id: requestId, ip: clientAddress, userAgent, signal = null } = source
  const { actor, tenant, idempotency, database } = caller
  const owner = tenant?.id ?? noTenant
  return new BaseContext({
    shared,
    requestId,
    clientAddress,
    userAgent,
    signal,
    tenant,
    owner,
    actor,
    idempotency,
    database,
    authority: 'caller',
  })
}

/** @returns a context for background work of a tenant. It has no actor, and uses the connections of the service. */
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

/**
 * @returns a context for a job of a tenant, or for work of the operator in it. It has the rights of an administrator of
 *   the tenant, and uses the connections of the tenant.
 */
export function jobContext(
  shared: Shared,
  { tenant, database, job, signal, hops, origin }: JobSource,
): Context {
  const actor: Actor = {
    id: noActorId,
    userName: job,
    tenantId: tenant.id,
    credential: { kind: 'job', actsFor: null },
    roles: ['Admin'],
    permissions: shared.permissions.ofRole('Admin', tenant.id),
    attributes: noAttributes,
    impersonator: null,
  }
  const source = { ...background(shared), signal: signal === null ? null : () => signal, hops, origin }
  return new BaseContext({ ...source, tenant, owner: tenant.id, actor, database })
}

/**
 * @returns a context for a job with the rights of its caller, who has enqueued it
 * @param caller as loaded by `Callers`
 */
export function callerJobContext(
  shared: Shared,
  { tenant, database, signal, hops, origin }: JobSource,
  caller: Actor,
): Context {
  const actor: Actor = { ...caller, credential: { kind: 'job', actsFor: userIdOf(caller) } }
  const source = { ...background(shared), signal: signal === null ? null : () => signal, hops, origin }
  return new BaseContext({ ...source, tenant, owner: tenant.id, actor, database, authority: 'caller' })
}

/** @returns a context for the operator's command line @param host the host tenant, whose rows are in the catalogue */
export function operatorContext(shared: Shared, host: Tenant, signal: AbortSignal | null = null): Context {
  const database = shared.catalogueDatabase
  const aborted = signal === null ? null : () => signal
  return new BaseContext({ ...background(shared), tenant: host, actor: operator, database, signal: aborted })
}

/**
 * @returns a context for background work on rows of many tenants, inside a transaction that the work has begun itself
 */
export function serviceContext(shared: Shared, database: Database, transaction: Transaction): Context {
  return transactionContext(new BaseContext({ ...background(shared), database }), database, transaction)
}

/** @returns the context inside a transaction @param database of the transaction */
export function transactionContext(outer: Context, database: Database, transaction: Transaction): Context {
  return new TransactionContext(outer, { database, transaction })
}

/**
 * @returns a context for an action that an incoming webhook runs, in the transaction of that webhook
 * @param cause the loop count and the origin of events that the action publishes
 * @param ruleOwner the action has the present rights of this owner; `null`: all rights of the tenant, without an actor
 */
export function webhookContext(
  inside: Context,
  cause: { hops: number; origin: string },
  ruleOwner: PresentOwner | null = null,
): Context {
  const actor = ruleOwner === null ? null : actorOf(ruleOwner, inside.tenant.id)
  return new TransactionContext(inside, {
    ...transactionOf(inside),
    actor,
    idempotency: null,
    authority: actor === null ? 'tenant' : 'caller',
    ...cause,
  })
}

/** @returns `null` for an owner that stands for the administrators of the tenant */
function actorOf(ruleOwner: PresentOwner, tenantId: string): Actor | null {
  const { id, userName, roles, userId, permissions, attributes } = ruleOwner
  if (id === null) return null
  const credential = { kind: 'job', actsFor: userId } as const
  return { id, userName, tenantId, credential, roles, permissions, attributes, impersonator: null }
}

/**
 * @returns the context with the rights of the operator, for code that checks by itself who may do what: a sign-up
 *   creates a tenant for a caller without a token. Request, client and tenant stay the same; the audit names the
 *   operator.
 */
export function asOperator(context: Context): Context {
  const actor = { ...operator, impersonator: context.actor?.impersonator ?? null }
  return withFields(context, { actor, authority: 'tenant' })
}

/**
 * @returns the context without access rules, for code that needs all rows of the tenant whoever calls, such as a number
 *   that counts all rows
 */
export function asTenant(context: Context): Context {
  return withFields(context, { authority: 'tenant' })
}

/**
 * @returns the context for one of the rows that a request changes. Each row has an idempotency record of its own, so
 *   that a repeated request finds the outcome of each row. Inside a transaction, which has used the key at its
 *   beginning, the context stays as it is.
 * @param part the id of the row
 */
export function forPart(context: Context, part: string): Context {
  const { idempotency } = context
  if (idempotency === null || !(context instanceof BaseContext)) return context
  return context.with({
    idempotency: { ...idempotency, key: `${idempotency.key}\n${part}`, replayed: false },
  })
}

/**
 * @returns the context without the idempotency key of its request, so that a repeated request does its work again. Inside
 *   a transaction, which has used the key at its beginning, the context stays as it is.
 */
export function withoutKey(context: Context): Context {
  return context instanceof BaseContext ? context.with({ idempotency: null }) : context
}

/**
 * @returns the context of the same request for another tenant, such as one that its body names, outside of any
 *   transaction
 * @param database the database of that tenant, if the work uses it
 */
export function forTenant(context: Context, tenant: Tenant, database: Database | null = null): Context {
  const ofTenant = { tenant, owner: tenant.id, database, reached: null }
  if (context instanceof BaseContext) return context.with(ofTenant)
  const { shared, requestId, clientAddress, userAgent, actor, authority } = context
  const { idempotency, hops, origin } = context
  const ofRequest = { shared, requestId, clientAddress, userAgent, signal: null, actor, authority }
  return new BaseContext({ ...ofRequest, idempotency, hops, origin, ...ofTenant })
}

/**
 * @returns the context with the catalogue's rows of another tenant
 * @param _installation the handle of all tenants' rows, which a caller gets for a stated reason only
 */
export function reaching(context: Context, _installation: InstallationData, tenantId: string): Context {
  return withRowsOf(context, tenantId)
}

/**
 * @returns the context with the catalogue's rows of the actor's own tenant, when an administrator of the host acts
 *   in another
 */
export function atHome(context: Context): Context {
  if (context.actor === null) throw new Error('This context has no actor.')
  return withRowsOf(context, context.actor.tenantId)
}

function withRowsOf(context: Context, tenantId: string): Context {
  if (context instanceof BaseContext) return context.reaching(tenantId)
  return withFields(context, { reached: tenantId })
}

/** @returns a copy of the context with other fields, in the same transaction if it is in one */
function withFields(
  context: Context,
  fields: Pick<TransactionFields, 'actor' | 'authority' | 'reached'>,
): Context {
  if (context instanceof BaseContext) return context.with(fields)
  return new TransactionContext(context, { ...transactionOf(context), ...fields })
}

/** @throws Error outside a transaction */
function transactionOf({ transaction, transactionDatabase: database }: Context) {
  if (transaction === null || database === null) throw new Error('The context is in no transaction.')
  return { transaction, database }
}

/** The owner of connections for requests without a tenant, which share them. No tenant has this id. */
const noTenant = ''

/** The actor of the command line. */
const operator: Actor = {
  id: noActorId,
  userName: 'operator',
  tenantId: hostTenantId,
  credential: { kind: 'operator' },
  roles: ['Admin'],
  permissions: everyPermission,
  attributes: noAttributes,
  impersonator: null,
}

function background(shared: Shared): BaseFields {
  return {
    shared,
    requestId: newId(),
    clientAddress: null,
    userAgent: null,
    signal: null,
    tenant: null,
    owner: null,
    actor: null,
    idempotency: null,
    database: null,
    authority: 'tenant' as const,
  }
}
