/** From the parameters of a request to its outcome, the same for every transport. */
import type { Context } from '../context.ts'
import { type Limits, usualLimits } from './document/limits.ts'
import { Documents, type ReadyOperation, type Variables } from './document/operation.ts'
import { Executor, type Outcome } from './execute.ts'
import type { GraphQLPart } from './field/field.ts'
import { type Api, createApi } from './schema/schema.ts'

export interface GatewayOptions {
  introspection: boolean
  limits?: Limits
}

export class Gateway {
  readonly api: Api
  readonly limits: Limits
  readonly #documents: Documents
  readonly #executor: Executor

  constructor(parts: readonly GraphQLPart[], { introspection, limits = usualLimits }: GatewayOptions) {
    this.api = createApi(parts)
    this.limits = limits
    this.#documents = new Documents(this.api, { limits, introspection })
    this.#executor = new Executor(this.api, limits)
  }

  /** @throws Refused for a document that is not valid or too large, or an operation that is not in it */
  prepare(text: string, operationName: string | null): ReadyOperation {
    return this.#documents.prepare(text).operation(operationName)
  }

  /** A query or a mutation. @throws Refused when nothing of it was done */
  run(context: Context, operation: ReadyOperation, variables: Variables): Promise<Outcome> {
    return this.#executor.run(context, this.#executor.request(operation, variables))
  }
}
