/** Runs an operation: field by field, each as JSON text, put together without a detour by objects. */
import { type ExecutionResult, execute, type GraphQLError, type GraphQLField, Kind } from 'graphql'
import type { TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { Limits } from './document/limits.ts'
import { type ReadyOperation, Refused, type Variables } from './document/operation.ts'
import type { Root } from './document/plan.ts'
import { fieldError, format, located, refuse } from './error.ts'
import { refuseUnlessAllowed } from './field/access.ts'
import { readConnection } from './field/connection.ts'
import type { FieldAccess } from './field/field.ts'
import { pickedJson } from './field/json.ts'
import { mutate } from './field/mutate.ts'
import { argumentsOf, prepareConnection, prepareList, prepareOne, prepareOther } from './field/prepare.ts'
import { readRow, readRows } from './field/read.ts'
import type { Api } from './schema/schema.ts'

export interface Request {
  operation: ReadyOperation
  variables: Variables
  written: Variables
}

/** What came of an operation that was begun, as the text of its body. */
export interface Outcome {
  text: string
  isFaulty: boolean
}

type Work = { root: Root; isNullable: boolean; cost: number; run(context: Context): Promise<string | null> }

export class Executor {
  readonly #api: Api
  readonly #limits: Limits

  constructor(api: Api, limits: Limits) {
    this.#api = api
    this.#limits = limits
  }

  /** @param given variables as the client sent them @throws Refused */
  request(operation: ReadyOperation, given: Variables): Request {
    return { operation, variables: operation.variables(given), written: given }
  }

  /** @throws Refused when the operation costs too much, before any of it is done */
  async run(context: Context, request: Request): Promise<Outcome> {
    const works = request.operation.roots(request.variables).map((root) => this.#prepare(root, request))
    this.#refuseCostly(works)
    const deadline = performance.now() + this.#limits.timeoutMs
    const results: Result[] = []
    if (request.operation.kind === 'mutation') {
      for (const work of works) {
        const result = await settle(context, work, deadline)
        results.push(result)
        if (result.error !== null && !work.isNullable) break
      }
    } else {
      results.push(...(await Promise.all(works.map((work) => settle(context, work, deadline)))))
    }
    return outcomeOf(results)
  }

  /** What is wrong with the arguments of a field is an error of that field, and the others go on. */
  #prepare(root: Root, request: Request): Work {
    const isNullable = root.kind === 'one'
    try {
      return { root, isNullable, ...this.#work(root, request) }
    } catch (error) {
      return { root, isNullable, cost: 0, run: () => Promise.reject(error) }
    }
  }

  #work(root: Root, request: Request): Omit<Work, 'root' | 'isNullable'> {
    const args = { values: this.#arguments(root, request), written: request.written }
    switch (root.kind) {
      case 'list': {
        const prepared = prepareList(root, args, this.#limits.rows)
        return guarded(root, prepared, (context) => readRows(context.data, prepared))
      }
      case 'one': {
        const prepared = prepareOne(root, args)
        return guarded(root, prepared, (context) => readRow(context.data, prepared))
      }
      case 'connection': {
        const prepared = prepareConnection(root, args)
        return guarded(root, prepared, (context) => readConnection(context, prepared))
      }
      case 'object':
        return guarded(root, prepareOther(root, args), async (context) =>
          pickedJson(await root.field.read(context), root.picked, typeNameOf(root.field.type)),
        )
      case 'mutation':
        return guarded(root, prepareOther(root, args), (context) => mutate(context, root, args.values))
      case 'typename':
        return { ...prepareOther(root, args), run: async () => JSON.stringify(root.text) }
      case 'introspection':
        return { ...prepareOther(root, args), run: async () => this.#introspect(root, request) }
      case 'subscription':
        throw new Error('A subscription is not run like this.')
    }
  }

  #arguments(root: Root, { operation, variables }: Request): Variables {
    const [node] = root.nodes
    const type = { query: this.#api.schema.getQueryType(), mutation: this.#api.schema.getMutationType() }
    const definition = operation.kind === 'subscription' ? null : type[operation.kind]?.getFields()[root.name]
    if (node === undefined || definition === null || definition === undefined) return {}
    return argumentsOf(definition as GraphQLField<unknown, unknown>, node, variables) // its resolvers are not used
  }

  #introspect(root: Root, { operation, variables }: Request): string {
    const selectionSet = { kind: Kind.SELECTION_SET, selections: [...root.nodes] } as const
    const definitions = [{ ...operation.node, selectionSet }, ...operation.fragments.values()]
    const document = { kind: Kind.DOCUMENT, definitions } as const
    const result = execute({ schema: this.#api.schema, document, variableValues: variables })
    return JSON.stringify((result as ExecutionResult).data?.[root.as] ?? null) // introspection waits for nothing
  }

  #refuseCostly(works: readonly Work[]): void {
    const cost = works.reduce((sum, work) => sum + work.cost, 0)
    if (cost <= this.#limits.cost) return
    const text = `The operation costs ${cost}, and ${this.#limits.cost} at most is allowed.`
    throw new Refused([refuse('cost', text)])
  }
}

interface Result {
  root: Root
  /** `null` also when it failed. */
  text: string | null
  isNullable: boolean
  error: GraphQLError | null
}

async function settle(context: Context, { root, isNullable, run }: Work, deadline: number): Promise<Result> {
  try {
    if (performance.now() > deadline) throw refuse('timeout', 'The operation took too long.')
    return { root, isNullable, text: await run(context), error: null }
  } catch (error) {
    const known = fieldError(error, context.requestId, context.shared.log)
    return { root, isNullable, text: null, error: located(known, root.nodes, root.as) }
  }
}

/** A field that may not be null takes everything with it when it fails (section 6.4.4). */
function outcomeOf(results: readonly Result[]): Outcome {
  const errors = results.flatMap(({ error }) => error ?? [])
  const isNull = results.some(({ error, isNullable }) => error !== null && !isNullable)
  const members = results.map(({ root, text }) => `"${root.as}":${text ?? 'null'}`)
  const data = isNull ? 'null' : `{${members.join()}}`
  const faults = errors.length === 0 ? '' : `"errors":${JSON.stringify(format(errors))},`
  return { text: `{${faults}"data":${data}}`, isFaulty: errors.length > 0 }
}

function guarded(
  root: { field: { access?: FieldAccess } },
  { cost }: { cost: number },
  run: (context: Context) => Promise<string | null>,
): Omit<Work, 'root' | 'isNullable'> {
  return {
    cost,
    run: async (context) => {
      refuseUnlessAllowed(context, root.field.access ?? 'user')
      return run(context)
    },
  }
}

function typeNameOf(schema: TSchema): string {
  return (schema as { $id?: string }).$id ?? '' // what fields are made of has one
}
