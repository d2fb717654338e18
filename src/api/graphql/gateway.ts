/** Executes GraphQL requests, for all transports. */

import type { Actor, Context, Shared, Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { GraphQLPart } from '../../core/feature/field.ts'
import { callerKey } from '../../core/limits/caller.ts'
import type { Payer } from '../../core/limits/caller-time.ts'
import { defaultSubscriptionLimits, type SubscriptionLimits } from '../../core/limits/client-limits.ts'
import { LimitMonitor } from '../../core/limits/limit-monitor.ts'
import type { Feeds } from '../../core/live/feeds.ts'
import type { Stream } from '../../core/live/stream.ts'
import type { Subscriber } from '../../core/live/subscriber.ts'
import { Counter } from '../../core/metric.ts'
import { rightsOf } from '../../core/ownership.ts'
import { noPermission, type Permission } from '../../core/permission.ts'
import type { PersistedOperations } from '../../core/settings/graphql-operations.ts'
import { relatedTables, restrictedIn, UnreadableMember } from '../../database/read/readable.ts'
import { Documents } from './document/documents.ts'
import type { Limits } from './document/limits.ts'
import { type Invocation, type PreparedOperation, Refused } from './document/operation.ts'
import { PersistedDocuments, type RequestedDocument } from './document/persisted.ts'
import type { Variables } from './document/variables.ts'
import { accessError, fieldError, refuse } from './error.ts'
import { OperationExecutor } from './execute.ts'
import { type RowSubscriber, rowRenderer, type SubscriptionRoot, shapeOf } from './live/rendering.ts'
import { exceededBy } from './live/subscription-limits.ts'
import type { OperationLimits } from './operation-limits.ts'
import type { OperationOutcome } from './outcome.ts'
import { type Api, createApi } from './schema/schema.ts'

export interface GatewayOptions {
  shared: Shared
  introspection: boolean
  /** Documents that clients request by hash. */
  operations: PersistedOperations
  operationsOnly: boolean
  limits: Limits
  /** `null` without a rate limit. */
  rateLimits?: OperationLimits | null
  feeds: Feeds
  monitor?: LimitMonitor
  subscriptionLimits?: SubscriptionLimits
}

/** The caller of a subscription, and the cursor after which it resumes. */
export interface SubscriptionCaller {
  actor: Actor | null
  tenant: Tenant
  requestId: string
  /** The address of the client. Limits apply to it if there is no user. */
  address: string | null
  /** The cursor after which to resume, as the client sent it. */
  after: string | null
}

export class Gateway {
  readonly api: Api
  readonly limits: Limits
  readonly operations = new Counter(['kind', 'outcome'])
  readonly #shared: Shared
  readonly #persisted: PersistedDocuments
  readonly #documents: Documents
  readonly #executor: OperationExecutor
  readonly #rateLimits: OperationLimits | null
  readonly #feeds: Feeds
  readonly #monitor: LimitMonitor
  readonly #subscriptionLimits: SubscriptionLimits
  #subscriptions = 0

  constructor(parts: readonly GraphQLPart[], options: GatewayOptions) {
    const { shared, introspection, operations, operationsOnly, limits, feeds, rateLimits = null } = options
    const { monitor = new LimitMonitor(shared.log), subscriptionLimits = defaultSubscriptionLimits } = options
    this.api = createApi(parts)
    this.limits = limits
    this.#feeds = feeds
    this.#monitor = monitor
    this.#subscriptionLimits = subscriptionLimits
    this.#shared = shared
    this.#persisted = new PersistedDocuments(operations, operationsOnly)
    this.#documents = new Documents(this.api, { limits, introspection })
    this.#executor = new OperationExecutor(this.api, limits)
    this.#rateLimits = rateLimits
  }

  /** The names of the root fields, such as `mutation createOrder`. */
  get fieldNames(): string[] {
    const { queries, mutations, subscriptions } = this.api
    const byKind = { query: queries, mutation: mutations, subscription: subscriptions }
    return Object.entries(byKind).flatMap(([kind, fields]) =>
      [...fields.keys()].map((name) => `${kind} ${name}`),
    )
  }

  /** Whether a subscription is available without a user. */
  get hasPublicSubscription(): boolean {
    return [...this.api.subscriptions.values()].some(({ access }) => access === 'public')
  }

  /**
   * @param payer pays for a document that is new to this instance
   * @throws Refused for an invalid, too large or unknown document, or an unknown operation
   * @throws ServiceError `invalid` without a document; `tooManyRequests`
   */
  async prepare(
    request: RequestedDocument,
    operationName: string | null,
    payer: Payer,
  ): Promise<PreparedOperation> {
    try {
      const text = this.#persisted.textOf(request)
      if (text === null) throw new ServiceError('invalid', 'query: is required')
      const document = await this.#documents.prepare(text, payer)
      return document.operation(operationName)
    } catch (error) {
      this.#countRefusal('none', error)
      throw error
    }
  }

  /** @param given variables as the client sent them @throws Refused for variables of other types */
  invocation(operation: PreparedOperation, given: Variables): Invocation {
    return this.#counted(operation.kind, () => operation.invocation(given))
  }

  /**
   * Runs a query or a mutation.
   * @param maxBytes of the body, if less than the default
   * @throws Refused if nothing was executed; ServiceError `tooManyRequests`, `unavailable`
   */
  async run(context: Context, invocation: Invocation, maxBytes?: number): Promise<OperationOutcome> {
    const { kind } = invocation.operation
    const roots = this.#counted(kind, () => this.#executor.prepare(invocation))
    const left =
      this.#rateLimits === null ? null : await this.#rateLimits.admit(invocation, context.clientAddress)
    const outcome = await this.#executor.run(context, kind, roots, maxBytes)
    this.operations.count({ kind, outcome: outcome.isFaulty ? 'error' : 'success' })
    return left === null ? outcome : { ...outcome, headers: { ...left, ...outcome.headers } }
  }

  /** Begins a subscription. @throws Refused when the caller may not subscribe */
  async subscribe(invocation: Invocation, subscriber: SubscriptionCaller): Promise<Stream> {
    const root = this.#counted('subscription', () => subscriptionOf(invocation))
    const { actor, address, after, tenant, requestId } = subscriber
    try {
      await this.#rateLimits?.admit(invocation, address)
      // The access of the event applies as well as that of the field.
      const members = restrictedIn({ selections: [root.selection] })
      const tables = relatedTables(root.selection)
      const refusal = () =>
        accessError(subscriber, root.field.access ?? 'user') ??
        this.#eventError(actor, root.field) ??
        hiddenError(actor, members) ??
        this.#ruledError(actor, tables)
      const refused = refusal()
      if (refused !== null) throw refused
      const user = callerKey(actor, address ?? '')
      const given = { user, root, shape: shapeOf(root), renderer: rowRenderer, refusal }
      const stream = await this.#follow(tenant, given, after)
      this.operations.count({ kind: 'subscription', outcome: 'success' })
      return stream
    } catch (error) {
      this.operations.count({ kind: 'subscription', outcome: 'error' })
      throw new Refused([fieldError(error, requestId, this.#shared.failures)])
    }
  }

  /** The number of active subscriptions. */
  get subscriptionCount(): number {
    return this.#subscriptions
  }

  /** @throws DatabaseUnavailable, ServiceError `unavailable`, GraphQLError beyond the limits of subscriptions */
  async #follow(
    tenant: Tenant,
    subscriber: Omit<RowSubscriber, 'stream'>,
    after: string | null,
  ): Promise<Stream> {
    const limits = this.#subscriptionLimits
    const present = this.#feeds.subscribersOf(tenant.id).filter(isOfRows)
    const exceeded = exceededBy(subscriber, present, this.#subscriptions, limits)
    if (exceeded !== null) {
      this.#monitor.refused(exceeded.reason, { tenantId: tenant.id, user: subscriber.user })
      throw exceeded.error
    }
    this.#count(1)
    const begun = this.#feeds.follow({ tenant, after, subscriber })
    begun.catch(() => this.#count(-1))
    const stream = await begun
    stream.onEnd(() => this.#count(-1))
    return stream
  }

  #count(added: number): void {
    this.#subscriptions += added
    this.#monitor.observe('subscriptions', this.#subscriptions, this.#subscriptionLimits.total)
  }

  /**
   * A public field is for everybody, unless the event is for administrators.
   * @returns why the actor may not see the event at present, or `null`
   */
  #eventError(actor: Actor | null, { event, access: ofField }: SubscriptionRoot['field']): Error | null {
    const { eventTypes } = this.#shared
    const access = eventTypes.accessOf(event)
    if (eventTypes.isVisible(event, rightsOf(actor)) || (ofField === 'public' && access !== 'admin'))
      return null
    const reason =
      access === 'admin'
        ? 'Only an administrator may see this event.'
        : `This event requires the permission ${access}.`
    return refuse('notAuthorized', reason)
  }

  /** A file is reached with the row that names it, which is in the result. */
  #ruledError(actor: Actor | null, tables: ReadonlySet<string>): Error | null {
    const permissions = actor?.permissions ?? noPermission
    for (const [table, { all }] of this.#shared.rowRules) {
      const needed = all as Permission // a rule names one
      if (tables.has(table) && table !== 'file' && !permissions.has(needed))
        return refuse('notAuthorized', `Live rows reach related ones with the permission ${all}.`)
    }
    return null
  }

  #counted<T>(kind: string, work: () => T): T {
    try {
      return work()
    } catch (error) {
      this.#countRefusal(kind, error)
      throw error
    }
  }

  #countRefusal(kind: string, error: unknown): void {
    if (error instanceof Refused) this.operations.count({ kind, outcome: 'refused' })
  }
}

function isOfRows(subscriber: Subscriber): subscriber is RowSubscriber {
  return subscriber.renderer === rowRenderer
}

/** Rows are rendered for all subscribers at once, so that each is asked what it reads. */
function hiddenError(actor: Actor | null, members: ReturnType<typeof restrictedIn>): Error | null {
  const permissions = actor?.permissions ?? noPermission
  const reads = (permission: string) => permissions.has(permission as Permission) // a rule names one
  const hidden = members.find(({ anyOf }) => !anyOf.some(reads))
  return hidden === undefined ? null : refuse('notAuthorized', new UnreadableMember(hidden).message)
}

function subscriptionOf({ operation, variables }: Invocation): SubscriptionRoot {
  const [root] = operation.roots(variables)
  if (root?.kind === 'subscription') return root
  throw new Refused([refuse('operation', 'The subscription has no field.')])
}
