/** Runs an operation: field by field, each as JSON text, put together without a detour by objects. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExecutionResult, execute, type GraphQLError, Kind } from 'graphql'
import type { TSchema } from 'typebox'
import type { Context } from '../context.ts'
import { introspectionCost, plainCost } from './document/cost.ts'
import type { Limits } from './document/limits.ts'
import { type Invocation, type ReadyOperation, Refused } from './document/operation.ts'
import type { Root } from './document/plan.ts'
import { fieldError, format, located, refuse, tookTooLong } from './error.ts'
import { refuseUnlessAllowed } from './field/access.ts'
import { readConnection } from './field/connection.ts'
import type { FieldAccess } from './field/field.ts'
import { pickedJson } from './field/json.ts'
import { mutate } from './field/mutate.ts'
import { prepareConnection, prepareList, prepareOne } from './field/prepare.ts'
import { readRow, readRows } from './field/read.ts'
import type { Api } from './schema/schema.ts'

/** What came of an operation that was begun, as the text of its body. */
export interface Outcome {
  text: string
  isFaulty: boolean
}

/** A field of the root, ready to be run. */
export type Work = {
  root: Root
  isNullable: boolean
  cost: number
  /** @throws whatever the field fails with, at once or later */
  run(context: Context): Promise<string | null>
}

export class Executor {
  readonly #api: Api
  readonly #limits: Limits

  constructor(api: Api, limits: Limits) {
    this.#api = api
    this.#limits = limits
  }

  /** @throws Refused when the operation costs too much */
  prepare(invocation: Invocation): Work[] {
    const { operation, variables } = invocation
    const works = operation.roots(variables).map((root) => this.#prepare(root, invocation))
    this.#refuseCostly(works)
    return works
  }

  async run(context: Context, kind: ReadyOperation['kind'], works: readonly Work[]): Promise<Outcome> {
    const deadline = performance.now() + this.#limits.timeoutMs
    const settled = kind === 'mutation' ? settleInTurn : settleTogether
    return outcomeOf(await settled(context, works, deadline))
  }

  /** What is wrong with the arguments of a field is an error of that field, and the others go on. */
  #prepare(root: Root, invocation: Invocation): Work {
    try {
      return this.#work(root, invocation)
    } catch (error) {
      const fail = () => Promise.reject(error)
      return 'field' in root ? guarded(root, 0, fail) : workOf(root, 0, fail)
    }
  }

  #work(root: Root, invocation: Invocation): Work {
    switch (root.kind) {
      case 'list': {
        const prepared = prepareList(root, invocation, this.#limits.rows)
        return guarded(root, prepared.cost, (context) => readRows(context.data, prepared))
      }
      case 'one': {
        const prepared = prepareOne(root, invocation)
        return guarded(root, prepared.cost, (context) => readRow(context.data, prepared))
      }
      case 'connection': {
        const prepared = prepareConnection(root, invocation)
        return guarded(root, prepared.cost, (context) => readConnection(context, prepared))
      }
      case 'object':
        return guarded(root, plainCost, async (context) =>
          pickedJson(await root.field.read(context), root.picked, typeNameOf(root.field.type)),
        )
      case 'mutation': {
        const values = root.arguments(invocation.variables)
        return guarded(root, plainCost, (context) => mutate(context, root, values))
      }
      case 'typename':
        return workOf(root, 0, async () => JSON.stringify(root.text))
      case 'introspection':
        return workOf(root, this.#introspectionCost(root, invocation), async () =>
          this.#introspect(root, invocation),
        )
      case 'subscription':
        throw new Error('A subscription is not run like this.')
    }
  }

  #introspectionCost({ nodes }: Root, { operation, variables }: Invocation): number {
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    return introspectionCost(sets, operation.collecting(variables))
  }

  #introspect(root: Root, { operation, variables }: Invocation): string {
    const selectionSet = { kind: Kind.SELECTION_SET, selections: [...root.nodes] } as const
    const definitions = [{ ...operation.node, selectionSet }, ...operation.fragments.values()]
    const document = { kind: Kind.DOCUMENT, definitions } as const
    const result = execute({ schema: this.#api.schema, document, variableValues: variables })
    return JSON.stringify((result as ExecutionResult).data?.[root.as] ?? null) // introspection waits for nothing
  }

  #refuseCostly(works: readonly Work[]): void {
    let cost = 0
    for (const work of works) cost += work.cost
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

/** On SQLite a field is done when it is begun: whoever asks for many lets others in between. */
const longestTurnMs = 20

async function settleTogether(context: Context, works: readonly Work[], deadline: number): Promise<Result[]> {
  const begun: Promise<Result>[] = []
  let turnEndsMs = performance.now() + longestTurnMs
  for (const work of works) {
    if (performance.now() > turnEndsMs) {
      await nextTurn()
      turnEndsMs = performance.now() + longestTurnMs
    }
    begun.push(settle(context, work, deadline))
  }
  const results: Result[] = []
  for (const result of begun) results.push(await result)
  return results
}

/** One after the other, until one fails that takes everything with it. */
async function settleInTurn(context: Context, works: readonly Work[], deadline: number): Promise<Result[]> {
  const results: Result[] = []
  for (const work of works) {
    const result = await settle(context, work, deadline)
    results.push(result)
    if (result.error !== null && !work.isNullable) break
  }
  return results
}

async function settle(context: Context, { root, isNullable, run }: Work, deadline: number): Promise<Result> {
  try {
    if (performance.now() > deadline) throw tookTooLong()
    return { root, isNullable, text: await run(context), error: null }
  } catch (error) {
    const known = fieldError(error, context.requestId, context.shared.log)
    return { root, isNullable, text: null, error: located(known, root.nodes, root.as) }
  }
}

/** A field that may not be null takes everything with it when it fails (section 6.4.4). */
function outcomeOf(results: readonly Result[]): Outcome {
  const errors: GraphQLError[] = []
  let isNull = false
  let members = ''
  for (const { root, text, error, isNullable } of results) {
    members += `${members === '' ? '' : ','}"${root.as}":${text ?? 'null'}`
    if (error === null) continue
    errors.push(error)
    isNull ||= !isNullable
  }
  const data = isNull ? 'null' : `{${members}}`
  const faults = errors.length === 0 ? '' : `"errors":${JSON.stringify(format(errors))},`
  return { text: `{${faults}"data":${data}}`, isFaulty: errors.length > 0 }
}

function guarded(root: Root & { field: { access?: FieldAccess } }, cost: number, run: Work['run']): Work {
  return workOf(root, cost, (context) => {
    refuseUnlessAllowed(context, root.field.access ?? 'user')
    return run(context)
  })
}

function workOf(root: Root, cost: number, run: Work['run']): Work {
  return { root, isNullable: root.kind === 'one', cost, run }
}

function typeNameOf(schema: TSchema): string {
  return (schema as { $id?: string }).$id ?? '' // what fields are made of has one
}
