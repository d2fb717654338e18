/** One WebSocket: who is behind it, and what runs on it. */
import type { IncomingMessage } from 'node:http'
import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import type { Shared } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import type { Admitted } from '../../http/admission.ts'
import { RequestContext } from '../../http/request-context.ts'
import type { NamingRequest } from '../../http/resolve-tenant.ts'
import { newId } from '../../id.ts'
import { type ReadyOperation, Refused, type Variables } from '../document/operation.ts'
import { fieldError, format, refuse } from '../error.ts'
import type { Gateway } from '../gateway.ts'
import type { Doorkeeper, Guest } from './doorkeeper.ts'
import type { Parameters } from './parameters.ts'

export interface ConnectionParts {
  gateway: Gateway
  doorkeeper: Doorkeeper
  shared: Shared
}

export type Params = Readonly<Record<string, unknown>>
type Admit = (request: NamingRequest) => Admitted | Promise<Admitted>

/** An operation that may run, for the hooks of the protocol. */
interface Begun {
  connection: Connection
  operation: ReadyOperation
  variables: Variables
}

const mostAtOnce = 100

export class Connection {
  readonly #request: IncomingMessage
  readonly #parts: ConnectionParts
  readonly #id = newId()
  #admitted: Admitted | null = null
  #guest: Guest | null = null
  #forget: (() => void) | null = null

  constructor(request: IncomingMessage, parts: ConnectionParts) {
    this.#request = request
    this.#parts = parts
  }

  /**
   * @param params of `connection_init`: `authorization` and `tenant`, in place of the headers that browsers cannot set
   * @param expelled called when the token has expired, the session was ended or the tenant deactivated
   * @throws ServiceError `unauthorized`, `wrongTenant`, `tenantInactive`, `notFound`
   */
  async enter(params: Params, admit: Admit, expelled: () => void): Promise<void> {
    const request = this.#naming(params)
    const admitted = await admit(request)
    this.#admitted = admitted
    const authorization = request.headers.authorization ?? null
    this.#guest = { authorization, tenantId: admitted.tenant.id, leave: expelled }
    this.#forget = this.#parts.doorkeeper.watch(this.#guest)
  }

  /** @param payload of a ping, with the `authorization` of the same user @returns false for a token that is not good */
  async renew(payload: Params, admit: Admit): Promise<boolean> {
    if (payload['authorization'] === undefined || this.#admitted === null || this.#guest === null) return true
    const { actor, tenant } = this.#admitted
    const request = this.#naming({ ...payload, tenant: tenant.id })
    try {
      const renewed = await admit(request)
      if (renewed.actor?.id !== actor?.id) return false
      this.#admitted = renewed
      this.#guest.authorization = request.headers.authorization ?? null
      return true
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }

  leave(): void {
    this.#forget?.()
    this.#forget = null
  }

  /** @returns what the protocol runs, or why it does not */
  begin(asked: Parameters, underWay: number): ExecutionArguments | readonly GraphQLError[] {
    if (underWay > mostAtOnce) {
      return [refuse('cost', `A connection may have ${mostAtOnce} operations under way at most.`)]
    }
    const { gateway } = this.#parts
    try {
      const { operationName, variables } = asked
      const operation = gateway.prepare(asked, operationName)
      operation.variables(variables)
      const contextValue: Begun = { connection: this, operation, variables }
      return { schema: gateway.api.schema, document: operation.document, operationName, contextValue }
    } catch (error) {
      if (error instanceof Refused) return error.errors
      return [fieldError(error, this.#id, this.#parts.shared.log)]
    }
  }

  /** A query or a mutation. */
  static run(begun: unknown): Promise<ExecutionResult> {
    const { connection, operation, variables } = begun as Begun // what `begin` gave to the protocol
    return connection.#run(operation, variables)
  }

  static follow(begun: unknown): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const { connection, operation, variables } = begun as Begun // likewise
    return connection.#follow(operation, variables)
  }

  report(error: unknown): void {
    this.#parts.shared.log.error({ err: error, requestId: this.#id }, 'internal')
  }

  async #run(operation: ReadyOperation, variables: Variables): Promise<ExecutionResult> {
    const { gateway, shared } = this.#parts
    const { actor, tenant } = this.#entered()
    try {
      const lease = await shared.tenantDatabases.lease(tenant)
      try {
        const request = { id: this.#id, ip: this.#request.socket.remoteAddress ?? '' }
        const context = new RequestContext(shared, request, { actor, tenant, once: null, lease })
        const { text } = await gateway.run(context, operation, variables)
        return JSON.parse(text)
      } finally {
        lease.release()
      }
    } catch (error) {
      return this.#refused(error)
    }
  }

  async #follow(operation: ReadyOperation, variables: Variables) {
    const { actor, tenant } = this.#entered()
    try {
      const following = { actor, tenant, requestId: this.#id, after: null }
      const stream = await this.#parts.gateway.follow(operation, variables, following)
      return {
        next: () =>
          stream.next().then(
            (result): IteratorResult<ExecutionResult, undefined> =>
              result.done === true ? result : { value: JSON.parse(result.value.text), done: false },
            (error: unknown) => Promise.reject(fieldError(error, this.#id, this.#parts.shared.log)),
          ),
        return: async () => {
          await stream.return()
          return { value: undefined, done: true } as const
        },
        [Symbol.asyncIterator]() {
          return this
        },
      }
    } catch (error) {
      return this.#refused(error)
    }
  }

  #refused(error: unknown): ExecutionResult {
    const errors =
      error instanceof Refused ? error.errors : [fieldError(error, this.#id, this.#parts.shared.log)]
    return JSON.parse(JSON.stringify({ errors: format(errors) }))
  }

  #entered(): Admitted {
    if (this.#admitted === null)
      throw new Error('The protocol lets nobody ask before the connection is acknowledged.')
    return this.#admitted
  }

  #naming(params: Params): NamingRequest {
    const { headers, url = '' } = this.#request
    const authorization =
      textOf(params, 'authorization') ?? textOf(params, 'Authorization') ?? headers.authorization
    const tenant = textOf(params, 'tenant') ?? textOf(params, 'x-tenant-id') ?? textOf(params, 'X-Tenant-Id')
    const query = Object.fromEntries(new URL(url, 'http://localhost').searchParams)
    const hostname = (headers.host ?? '').replace(/:\d+$/, '')
    return {
      headers: { ...headers, ...(tenant !== undefined && { 'x-tenant-id': tenant }), authorization },
      query,
      hostname,
    }
  }
}

interface ExecutionArguments {
  schema: GraphQLSchema
  document: DocumentNode
  operationName: string | null
  contextValue: Begun
}

/** A bare token is taken for what it is. */
function textOf(params: Params, name: string): string | undefined {
  const value = params[name]
  if (typeof value !== 'string' || value === '') return undefined
  return name.toLowerCase() === 'authorization' && !value.includes(' ') ? `Bearer ${value}` : value
}
