/** Executes GraphQL requests, for all transports. */

import type { Actor, Context, Shared, Tenant } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import type { GraphQLPart } from '../../core/feature/field.ts'
import { callerKey } from '../../core/limits/caller.ts'
import type { Payer } from '../../core/limits/caller-time.ts'
import { defaultSubscriptionLimits, type SubscriptionLimits } from '../../core/limits/client-limits.ts'
import { LimitMonitor } from '../../core/limits/limit-monitor.ts'
import type { Feeds } from '../../core/live/feeds.ts'
import type { Stream } from '../../core/live/stream.ts'
import type { Subscriber } from '../../core/live/subscriber.ts'
import { Counter } from '../../core/metric.ts'
import type { PersistedOperations } from '../../core/settings/graphql-operations.ts'
import { Documents } from './document/documents.ts'
import type { Limits } from './document/limits.ts'
import { type Invocation, type PreparedOperation, Refused } from './document/operation.ts'
import { PersistedDocuments, type RequestedDocument } from './document/persisted.ts'
import type { Variables } from './document/variables.ts'
import { fieldError, refuse } from './error.ts'
import { OperationExecutor } from './execute.ts'
import { decidedRenderer } from './live/decided-rendering.ts'
import { type RowSubscriber, rowRenderer, type SubscriptionRoot } from './live/rendering.ts'
import { type NewSubscriber, subscriberOf } from './live/subscriber.ts'
import { exceededBy } from './live/subscription-limits.ts'
import type { OperationLimits } from './operation-limits.ts'
import type { OperationOutcome } from './outcome.ts'
import { type Api, createApi } from './schema/schema.ts'

export interface GatewayOptions {
  shared: Shared
  introspection: boolean
  /** Documents that clients request by hash. */
  operations: PersistedOperations
  /** Whether all other documents are refused. */
  operationsOnly: boolean
  limits: Limits
  /** `null` if no rate limit applies to operations. */
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
      if (text === null) throw refusal('queryRequired')
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
    const quotaHeaders =
      this.#rateLimits === null ? null : await this.#rateLimits.admit(invocation, context.clientAddress)
    const outcome = await this.#executor.run(context, kind, roots, maxBytes)
    this.operations.count({ kind, outcome: outcome.isFaulty ? 'error' : 'success' })
    return quotaHeaders === null ? outcome : { ...outcome, headers: { ...quotaHeaders, ...outcome.headers } }
  }

  /** Begins a subscription. @throws Refused when the caller may not subscribe */
  async subscribe(invocation: Invocation, subscriber: SubscriptionCaller): Promise<Stream> {
    const root = this.#counted('subscription', () => subscriptionOf(invocation))
    const { actor, address, after, tenant, requestId } = subscriber
    try {
      await this.#rateLimits?.admit(invocation, address)
      const caller = { actor, shared: this.#shared, user: callerKey(actor, address ?? '') }
      const given = subscriberOf(root, invocation.variables, caller)
      const stream = await this.#follow(tenant, given, after)
      this.operations.count({ kind: 'subscription', outcome: 'success' })
      return stream
    } catch (error) {
      this.operations.count({ kind: 'subscription', outcome: 'error' })
      throw new Refused([fieldError(error, requestId, this.#shared.failures)])
    }
  }

  get subscriptionCount(): number {
    return this.#subscriptions
  }

  /** @throws DatabaseUnavailable, ServiceError `unavailable`, GraphQLError beyond the limits of subscriptions */
  async #follow(tenant: Tenant, subscriber: NewSubscriber, after: string | null): Promise<Stream> {
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
  return subscriber.renderer === rowRenderer || subscriber.renderer === decidedRenderer
}

function subscriptionOf({ operation, variables }: Invocation): SubscriptionRoot {
  const [root] = operation.roots(variables)
  if (root?.kind === 'subscription') return root
  throw new Refused([refuse('operation', 'The subscription has no field.')])
}
