/** One WebSocket connection: its session and its operations. */
import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import { credentialsOf } from '../../../core/authenticator.ts'
import type { Actor, Shared } from '../../../core/context.ts'
import { requestContext } from '../../../core/create-context.ts'
import { refusal, ServiceError } from '../../../core/errors.ts'
import { newId } from '../../../core/id.ts'
import { chargeJson } from '../../../core/limits/body-cost.ts'
import { callerOf } from '../../../core/limits/caller.ts'
import type { Item, Stream } from '../../../core/live/stream.ts'
import { requireExactNumbers } from '../../../core/schema/exact-json.ts'
import { toServiceError } from '../../http/reply/error-reply.ts'
import {
  type AdmissionParts,
  type AdmissionRequest,
  type Admitted,
  admit,
  openConnection,
} from '../../http/request/admission.ts'
import { anonymousBytes } from '../../http/request/body.ts'
import { type Invocation, Refused } from '../document/operation.ts'
import { fieldError, format, refuse } from '../error.ts'
import type { Gateway } from '../gateway.ts'
import { textOf } from '../json-writer.ts'
import type { RequestParameters } from './parameters.ts'
import type { MonitoredSession, SessionMonitor } from './session-monitor.ts'
import { admissionOf, authorizationOf, type Params, renewed, type UpgradeRequest } from './upgrade-request.ts'
import { maxOperations, type WebSocketLimiter, type WebSocketPermit } from './web-socket-limiter.ts'

export interface ConnectionParts {
  gateway: Gateway
  sessionMonitor: SessionMonitor
  admission: AdmissionParts
  shared: Shared
  limiter: WebSocketLimiter
  messageLimitBytes: number
}

/** Each callback closes the connection, and is called at most once. */
export interface ConnectionCallbacks {
  /** The token has expired, the session has ended, or the tenant was deactivated. */
  onUnauthorized(): void
  /** The connection has had neither a user nor an operation for a while. */
  onIdle(): void
}

/** An admitted operation, for the hooks of the protocol. */
interface AdmittedOperation {
  connection: WebSocketConnection
  admitted: Admitted
  invocation: Invocation
}

/** The largest result. The protocol parses and renders each result once more on the main thread. */
const maxResultBytes = 1024 * 1024

export class WebSocketConnection {
  readonly #opening: UpgradeRequest
  readonly #permit: WebSocketPermit
  readonly #parts: ConnectionParts
  readonly #id = newId()
  readonly #streams = new Set<Stream>()
  #entered: AdmissionRequest | null = null
  #actor: Actor | null = null
  #session: MonitoredSession | null = null
  #stopMonitoring: (() => void) | null = null
  #idleTimer: NodeJS.Timeout | null = null
  /** The number of operations in progress, including those that the client has cancelled. */
  #running = 0
  #hasLeft = false

  constructor(opening: UpgradeRequest, permit: WebSocketPermit, parts: ConnectionParts) {
    this.#opening = opening
    this.#permit = permit
    this.#parts = parts
  }

  /** Whether queries or mutations run. */
  get isBusy(): boolean {
    return this.#running > this.#streams.size
  }

  /**
   * @param params of `connection_init`: `authorization` and `tenant`, in place of the headers that browsers cannot set
   * @throws ServiceError `unauthorized`, also without a token if no subscription is public; `wrongTenant`,
   *   `tenantInactive`, `notFound`; `tooManyRequests` when the tenant or the user has too many WebSockets
   */
  async enter(params: Params, { onUnauthorized, onIdle }: ConnectionCallbacks): Promise<void> {
    const entered = admissionOf(this.#opening, params)
    const { actor, tenant } = await admit(entered, openConnection, this.#parts.admission)
    if (this.#hasLeft) return
    if (actor === null && !this.#parts.gateway.hasPublicSubscription) throw new ServiceError('unauthorized')
    if (!this.#permit.enter(tenant.id, actor?.id ?? null)) {
      throw refusal('tooManyWebSockets')
    }
    this.#entered = entered
    this.#actor = actor
    this.#session = { credentials: credentialsOf(entered), tenantId: tenant.id, leave: onUnauthorized }
    this.#stopMonitoring = this.#parts.sessionMonitor.watch(this.#session)
    if (actor === null) this.#startIdleTimer(onIdle)
  }

  /** @param params of a ping, with the `authorization` of the same user @returns false for an invalid token */
  async renew(params: Params): Promise<boolean> {
    const authorization = authorizationOf(params)
    if (authorization === undefined || this.#entered === null || this.#session === null) return true
    const entered = { ...this.#entered, headers: renewed(this.#entered.headers, authorization) }
    try {
      const { actor } = await admit(entered, openConnection, this.#parts.admission)
      if (actor?.id !== this.#actor?.id || actor?.impersonator?.id !== this.#actor?.impersonator?.id)
        return false
      this.#entered = entered
      this.#session.credentials = credentialsOf(entered)
      return true
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }

  /** Checks and charges a message before it is parsed. @throws ServiceError `tooLarge`, `invalid`, `tooManyRequests` */
  admitMessage(message: Buffer): void {
    const { messageLimitBytes, shared } = this.#parts
    if (this.#actor === null && message.length > anonymousBytes.public) throw new ServiceError('tooLarge')
    chargeJson(message, messageLimitBytes, () =>
      shared.costLimiter.open(callerOf(this.#session?.tenantId ?? '', this.#actor, this.#opening.address)),
    )
    requireExactNumbers(message.toString())
  }

  /** Ends the operations of the connection. */
  leave(): void {
    this.#hasLeft = true
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    this.#stopMonitoring?.()
    this.#stopMonitoring = null
    for (const stream of [...this.#streams]) void stream.return()
  }

  /**
   * @returns the arguments of the protocol's execution, or errors
   * @throws ServiceError when the session is no longer admitted
   */
  async begin(request: RequestParameters): Promise<ExecutionArguments | readonly GraphQLError[]> {
    if (this.#running >= maxOperations) {
      return [refuse('cost', `A connection may have at most ${maxOperations} operations in progress.`)]
    }
    this.#running++
    let begun: ExecutionArguments | readonly GraphQLError[] = []
    try {
      const admitted = await admit(this.#request(), openConnection, this.#parts.admission)
      begun = await this.#prepare(request, admitted)
      return begun
    } finally {
      if (Array.isArray(begun)) this.#finished()
    }
  }

  /** Runs a query or a mutation. */
  static run(begun: unknown): Promise<ExecutionResult> {
    const { connection, ...rest } = begun as AdmittedOperation // the result of `begin`
    return connection.#run(rest).finally(() => connection.#finished())
  }

  static subscribe(begun: unknown): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const { connection, ...rest } = begun as AdmittedOperation // the result of `begin`
    return connection.#subscribe(rest)
  }

  /** Logs a failure of the service. @returns its public error */
  report(error: unknown): ServiceError {
    const known = toServiceError(error, this.#id)
    this.#parts.shared.failures.report(error, known, '', { requestId: this.#id })
    return known
  }

  /** Counts the end of an operation. */
  #finished(): void {
    this.#running--
    this.#idleTimer?.refresh()
  }

  /** The idle time starts now and at the end of each operation. */
  #startIdleTimer(onIdle: () => void): void {
    const timer = setTimeout(() => {
      if (this.#running === 0) onIdle()
      else timer.refresh()
    }, this.#parts.limiter.limits.anonymousIdleMs).unref()
    this.#idleTimer = timer
  }

  async #prepare(
    request: RequestParameters,
    admitted: Admitted,
  ): Promise<ExecutionArguments | readonly GraphQLError[]> {
    const { gateway, shared } = this.#parts
    const { variables } = request
    try {
      const payer = { ...admitted, clientAddress: this.#opening.address, shared }
      const operation = await gateway.prepare(request, request.operationName, payer)
      const invocation = gateway.invocation(operation, variables)
      // The library does not find an operation without a name by the empty name, which a client may send.
      const operationName = operation.node.name?.value ?? null
      const contextValue: AdmittedOperation = { connection: this, admitted, invocation }
      return { schema: gateway.api.schema, document: operation.document, operationName, contextValue }
    } catch (error) {
      return error instanceof Refused ? error.errors : [fieldError(error, this.#id, shared.failures)]
    }
  }

  async #run({ admitted, invocation }: Omit<AdmittedOperation, 'connection'>): Promise<ExecutionResult> {
    const { gateway, shared } = this.#parts
    const { actor, tenant } = admitted
    try {
      const lease = await shared.tenantDatabases.lease(tenant)
      try {
        const request = { id: this.#id, ip: this.#opening.address, userAgent: null }
        const { database } = lease
        const context = requestContext(shared, request, { actor, tenant, idempotency: null, database })
        const { json, reservation } = await gateway.run(context, invocation, maxResultBytes)
        reservation?.release() // the socket bounds its own unread output
        return JSON.parse(textOf(json))
      } finally {
        lease.release()
      }
    } catch (error) {
      return this.#refused(error)
    }
  }

  async #subscribe({ admitted, invocation }: Omit<AdmittedOperation, 'connection'>) {
    try {
      const subscriber = { ...admitted, requestId: this.#id, address: this.#opening.address, after: null }
      const stream = await this.#parts.gateway.subscribe(invocation, subscriber)
      this.#streams.add(stream)
      stream.onEnd(() => {
        this.#streams.delete(stream)
        this.#finished()
      })
      if (this.#hasLeft) void stream.return()
      return this.#resultsOf(stream)
    } catch (error) {
      this.#finished()
      return this.#refused(error)
    }
  }

  #resultsOf(stream: Stream): AsyncIterableIterator<ExecutionResult, undefined> {
    const rejectWith = (error: unknown) =>
      Promise.reject(fieldError(error, this.#id, this.#parts.shared.failures))
    let isSubscribed = true
    return {
      next: async () => {
        const result = await stream.next().catch(rejectWith)
        if (result.done !== true) return { value: resultOf(result.value), done: false }
        // A normal end would mean that the subscription is complete: the client would not resume.
        return isSubscribed && !this.#hasLeft ? rejectWith(refusal('tenantMoved')) : result
      },
      return: async () => {
        isSubscribed = false
        await stream.return()
        return { value: undefined, done: true }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  #refused(error: unknown): ExecutionResult {
    const errors =
      error instanceof Refused ? error.errors : [fieldError(error, this.#id, this.#parts.shared.failures)]
    return JSON.parse(JSON.stringify({ errors: format(errors) }))
  }

  #request(): AdmissionRequest {
    if (this.#entered === null)
      throw new Error('An operation arrived before the connection was acknowledged.')
    return this.#entered
  }
}

interface ExecutionArguments {
  schema: GraphQLSchema
  document: DocumentNode
  operationName: string | null
  contextValue: AdmittedOperation
}

const results = new WeakMap<Item, ExecutionResult>()

/** The protocol takes an object. The text is parsed once for all connections. */
function resultOf(item: Item): ExecutionResult {
  let result = results.get(item)
  if (result === undefined) {
    result = JSON.parse(item.text) as ExecutionResult // rendered by `Rendering`
    results.set(item, result)
  }
  return result
}
