/** Runs an operation field by field. Fields are JSON text, which is joined without creating objects. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExecutionResult, execute, type GraphQLObjectType, Kind } from 'graphql'
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { EntityQueryField, FieldAccess, ObjectField, ObjectMutation } from '../../core/feature/field.ts'
import { type ImpersonationRule, refuseImpersonated } from '../../core/impersonation.ts'
import { ReadLimiter } from '../../core/limits/read-limiter.ts'
import { rowsIn } from '../../core/rows.ts'
import { narrowed } from '../../database/read/conditions.ts'
import { everything, type Filter } from '../../database/read/filter.ts'
import { OperationBudget } from './budget.ts'
import { introspectionCost, plainCost } from './document/cost.ts'
import type { Limits } from './document/limits.ts'
import { type Invocation, type PreparedOperation, Refused } from './document/operation.ts'
import type { Root } from './document/plan.ts'
import { checkAccess, fieldError, located, refuse, tookTooLong } from './error.ts'
import { prepareAggregate, readAggregate } from './field/aggregate.ts'
import { completeRows } from './field/complete.ts'
import { readConnection } from './field/connection.ts'
import { mutate, mutateObject } from './field/mutate.ts'
import { objectJson } from './field/object.ts'
import { prepareConnection, prepareList, prepareOne, prepareResult } from './field/prepare.ts'
import { readRow, readRows } from './field/read.ts'
import { jsonOf } from './field/row.ts'
import type { Json } from './json-writer.ts'
import { type OperationOutcome, outcomeOf, type RootResult } from './outcome.ts'
import type { Api } from './schema/schema.ts'

/** A root field that is ready to run. */
export type PreparedRoot = {
  root: Root
  isNullable: boolean
  cost: number
  /** @throws the error of the field, synchronously or not */
  run(context: Context, budget: OperationBudget): Promise<Json | null>
}

export class OperationExecutor {
  readonly #api: Api
  readonly #limits: Limits
  readonly #readLimiter = new ReadLimiter()

  constructor(api: Api, limits: Limits) {
    this.#api = api
    this.#limits = limits
  }

  /** @throws Refused when the operation costs too much */
  prepare(invocation: Invocation): PreparedRoot[] {
    const { operation, variables } = invocation
    const roots = operation.roots(variables).map((root) => this.#prepare(root, invocation))
    this.#refuseCostly(roots)
    return roots
  }

  /**
   * @param maxBytes of the body, if less than the default
   * @throws ServiceError `tooManyRequests` without budget of the caller, `unavailable` without memory of the service
   */
  async run(
    context: Context,
    kind: PreparedOperation['kind'],
    roots: readonly PreparedRoot[],
    maxBytes = this.#limits.bytes,
  ): Promise<OperationOutcome> {
    const budget = new OperationBudget(context, { ...this.#limits, bytes: maxBytes })
    const running: Running = {
      refusal: null,
      context,
      budget,
      deadlineMs: performance.now() + this.#limits.timeoutMs,
    }
    try {
      const results =
        kind === 'mutation'
          ? await settleInTurn(running, roots)
          : await this.#readLimiter.run(context, () => settleTogether(running, roots))
      if (running.refusal !== null && kind === 'query') throw running.refusal
      if (this.#api.completesRows) await completeRows(context, results)
      return { ...outcomeOf(results), headers: budget.headers(), reservation: budget.reservation }
    } catch (error) {
      budget.reservation?.release()
      throw error
    }
  }

  /** A fault of a field's arguments is an error of the field. Other fields run. */
  #prepare(root: Root, invocation: Invocation): PreparedRoot {
    try {
      return this.#prepareRoot(root, invocation)
    } catch (error) {
      const fail = () => Promise.reject(error)
      return 'field' in root ? withAccessCheck(root, 0, fail) : preparedRoot(root, 0, fail)
    }
  }

  #prepareRoot(root: Root, invocation: Invocation): PreparedRoot {
    switch (root.kind) {
      case 'list': {
        const prepared = prepareList(root, invocation, this.#limits.rows)
        return withBudgetCheck(root, prepared, (context, budget) =>
          withinReach(root.field, { context, read: prepared }, (read) =>
            readRows(rowsIn(context, read.entity), read, budget),
          ),
        )
      }
      case 'one': {
        const prepared = prepareOne(root, invocation)
        return withBudgetCheck(root, prepared, async (context, budget) => {
          const { entity } = prepared
          const { reach } = root.field
          const within = reach === undefined ? null : await reach(context, { entity, filter: everything })
          const row = await readRow(rowsIn(context, prepared.entity), { ...prepared, within }, budget)
          return row === null ? null : jsonOf(row)
        })
      }
      case 'connection': {
        const prepared = prepareConnection(root, invocation)
        return withBudgetCheck(root, prepared, (context, budget) =>
          withinReach(root.field, { context, read: prepared }, (read) =>
            readConnection(context, read, budget),
          ),
        )
      }
      case 'aggregate': {
        const prepared = prepareAggregate(root, invocation)
        return withBudgetCheck(root, prepared, (context, budget) =>
          withinReach(root.field, { context, read: prepared.request }, (request) =>
            readAggregate(rowsIn(context, root.field.entity), { ...prepared, request }, budget),
          ),
        )
      }
      case 'object':
        return withAccessCheck(root, plainCost, async (context) =>
          objectJson(await root.field.read(context), root.picked, this.#typeOf(root.field)),
        )
      case 'mutation': {
        const values = root.arguments(invocation.variables)
        const { selection, ...prepared } = prepareResult(root, invocation)
        return withBudgetCheck(root, prepared, (context, budget) =>
          mutate(context, root.field, { values, selection, budget }),
        )
      }
      case 'objectMutation': {
        const values = root.arguments(invocation.variables)
        return withAccessCheck(root, plainCost, async (context) =>
          objectJson(await mutateObject(context, root.field, values), root.picked, this.#typeOf(root.field)),
        )
      }
      case 'typename':
        return preparedRoot(root, 0, async () => JSON.stringify(root.text))
      case 'introspection':
        return preparedRoot(root, this.#introspectionCost(root, invocation), async () =>
          this.#introspect(root, invocation),
        )
      case 'subscription':
        throw new Error('A subscription cannot be executed as a query.')
    }
  }

  /** @returns the GraphQL type of a field's objects, whose name is the `$id` of their schema */
  #typeOf({ type }: ObjectField | ObjectMutation): GraphQLObjectType {
    const { $id = '' } = type as { $id?: string }
    return this.#api.schema.getType($id) as GraphQLObjectType // an object schema becomes an object type
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
    return JSON.stringify((result as ExecutionResult).data?.[root.as] ?? null) // introspection is synchronous
  }

  #refuseCostly(roots: readonly PreparedRoot[]): void {
    let cost = 0
    for (const root of roots) cost += root.cost
    if (cost <= this.#limits.cost) return
    const text = `The operation costs ${cost}. The maximum is ${this.#limits.cost}.`
    throw new Refused([refuse('cost', text)])
  }
}

/** Restricts a read to the rows that the caller may read. */
function withinReach<R extends { filter: Filter }, T>(
  { reach, entity }: Pick<EntityQueryField, 'reach' | 'entity'>,
  { context, read }: { context: Context; read: R },
  run: (read: R) => Promise<T>,
): Promise<T> {
  if (reach === undefined) return run(read)
  const reached = Promise.resolve(reach(context, { entity, filter: read.filter }))
  return reached.then((within) => run({ ...read, filter: narrowed(read.filter, within) }))
}

interface Running {
  context: Context
  budget: OperationBudget
  deadlineMs: number
  /** An error that refuses the whole request, not one field. */
  refusal: ServiceError | null
}

/** On SQLite a field runs without yielding. After this time, an operation yields between two of its fields. */
const maxTurnMs = 5
/** The fields of an operation that are read concurrently. */
const maxConcurrentFields = 4

async function settleTogether(running: Running, roots: readonly PreparedRoot[]): Promise<RootResult[]> {
  const [only] = roots
  if (only !== undefined && roots.length === 1) return [await settle(running, only)]
  const results: RootResult[] = []
  const rest = roots.entries()
  let turnEndsMs = performance.now() + maxTurnMs
  const settleRest = async (): Promise<void> => {
    for (const [index, root] of rest) {
      if (running.refusal !== null) return
      if (performance.now() > turnEndsMs) {
        await nextTurn()
        turnEndsMs = performance.now() + maxTurnMs
      }
      results[index] = await settle(running, root)
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrentFields, roots.length) }, settleRest))
  return results
}

/** Runs fields one after the other, until a non-null field fails. */
async function settleInTurn(running: Running, roots: readonly PreparedRoot[]): Promise<RootResult[]> {
  const results: RootResult[] = []
  for (const root of roots) {
    const result = await settle(running, root)
    results.push(result)
    if (result.error !== null && !root.isNullable) break
  }
  return results
}

async function settle(running: Running, { root, isNullable, run }: PreparedRoot): Promise<RootResult> {
  const { context, budget, deadlineMs } = running
  try {
    if (performance.now() > deadlineMs) throw tookTooLong()
    return { root, isNullable, json: await run(context, budget), error: null }
  } catch (error) {
    if (error instanceof ServiceError && isRefusal(error)) running.refusal = error
    const known = fieldError(error, context.requestId, context.shared.failures, databaseOf(context))
    return { root, isNullable, json: null, error: located(known, root.nodes, root.as) }
  }
}

/** Whether the error concerns the caller or the service, not the field. */
function isRefusal({ kind }: ServiceError): boolean {
  return kind === 'tooManyRequests' || kind === 'unavailable'
}

function databaseOf({ tenant }: Context): string {
  return tenant.hasOwnDatabase ? tenant.id : ''
}

/** Refuses a read before it begins if the budget is used up. */
function withBudgetCheck(
  root: Parameters<typeof withAccessCheck>[0],
  { cost, accesses }: { cost: number; accesses: ReadonlySet<FieldAccess> },
  run: PreparedRoot['run'],
): PreparedRoot {
  return withAccessCheck(root, cost, (context, budget) => {
    for (const access of accesses) checkAccess(context, access)
    budget.take(0, 0)
    return run(context, budget)
  })
}

function withAccessCheck(
  root: Root & { field: { access?: FieldAccess; impersonation?: ImpersonationRule } },
  cost: number,
  run: PreparedRoot['run'],
): PreparedRoot {
  return preparedRoot(root, cost, (context, budget) => {
    checkAccess(context, root.field.access ?? 'user')
    if (isMutation(root) && root.field.impersonation !== 'allowed') refuseImpersonated(context)
    return run(context, budget)
  })
}

function isMutation({ kind }: Root): boolean {
  return kind === 'mutation' || kind === 'objectMutation'
}

function preparedRoot(root: Root, cost: number, run: PreparedRoot['run']): PreparedRoot {
  const isNullable = root.kind === 'one' || (root.kind === 'mutation' && root.field.isNullable === true)
  return { root, isNullable, cost, run }
}
