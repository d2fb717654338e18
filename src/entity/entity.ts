/**
 * `entity(…)` makes a feature from one definition: tables, routes, GraphQL fields, events, audit, and functions with
 * which code of the application reads and changes the rows.
 */
import type { Context } from '../core/context.ts'
import type { EventCatalogue } from '../core/events/event-type.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { GraphQLPart } from '../core/feature/field.ts'
import type { Route } from '../core/feature/route.ts'
import type { Permission } from '../core/permission.ts'
import type { Precondition } from '../core/precondition.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import { snakeCase } from '../database/sql-text.ts'
import type { Table } from '../database/table.ts'
import { type AccessOptions, type EntityAccess, grantedAccess } from './access.ts'
import type { EntityAction, Hooks } from './behaviour.ts'
import { sourcesOf } from './browsed.ts'
import { requireSense } from './check.ts'
import { type Computing, computationsOf } from './compute.ts'
import { checkedHints, describedBy, type HintedOptions, type NamedOptions } from './console/checked.ts'
import { type Member, type Names, namesOf, type Shape, shapeOf } from './definition.ts'
import { auditedOf, chosenPayloads, eventAccess, eventsOf, pastOf, payloadsOf, summariesOf } from './event.ts'
import type { ChosenMembers, EntityEvents } from './event-payload.ts'
import type { Fields, InputOf, RowOf } from './field.ts'
import { rulesByMember } from './field-guard.ts'
import { type AnyAccessOfFields, fieldRulesOf } from './field-rules.ts'
import { fileNamingsOf } from './file-naming.ts'
import { forgettingUser } from './former-user.ts'
import { graphqlOf } from './graphql.ts'
import type { TrashOptions } from './history/option.ts'
import { historyOf } from './history/row-history.ts'
import { trimmer } from './history/sweep.ts'
import { eventStateMembers } from './live.ts'
import { modelOf } from './model.ts'
import { type Operation, operations } from './operation.ts'
import type { DeclaredActions, EntityOptions } from './options.ts'
import type { DescribedActions } from './parts.ts'
import { routesOf } from './rest.ts'
import type { Values } from './row.ts'
import { everyRow, hasRuleByOperation, rulesOf, statesKeep } from './row-rules.ts'
import { RulePlace } from './rule-place.ts'
import { ruleWarnings } from './rule-warnings.ts'
import { rowStatements } from './sql.ts'
import { storedColumnsOf } from './stored.ts'
import { tablesOf } from './table.ts'
import { EntityRows } from './write.ts'

/** A row with the version that its `ETag` has. */
export type StoredOf<F extends Fields> = RowOf<F> & { version: number }

/** What code can do with the rows. Changes publish events, like those of callers. */
export interface Verbs<F extends Fields> {
  /** @throws ServiceError `invalid` for a value that another row has, or a reference to no row */
  create(context: Context, input: InputOf<F>): Promise<StoredOf<F>>
  /** @returns `null` when there is none */
  find(context: Context, id: string): Promise<StoredOf<F> | null>
  /** @returns the rows that exist, by id, without their lists */
  findAll(context: Context, ids: readonly string[]): Promise<Map<string, StoredOf<F>>>
  /** Omitted members stay unchanged. @throws ServiceError `notFound`, `preconditionFailed`, `invalid` */
  change(
    context: Context,
    id: string,
    input: Partial<InputOf<F>>,
    precondition?: Precondition,
  ): Promise<StoredOf<F>>
  /** @throws ServiceError `notFound`, `preconditionFailed`, `invalid` while rows refer to it */
  delete(context: Context, id: string, precondition?: Precondition): Promise<StoredOf<F>>
  /** @param name of an action @throws ServiceError `notFound`, `preconditionFailed`, `invalid` in another state */
  act(context: Context, id: string, name: string, input?: object): Promise<StoredOf<F>>
}

/** A feature, with functions with which code of the application reads and changes its rows. */
export interface Entity<F extends Fields = Fields, E extends EventCatalogue = EventCatalogue>
  extends Feature,
    Verbs<F> {
  readonly routes: readonly Route[]
  readonly graphql: GraphQLPart
  readonly events: E
  /** The table of its rows. */
  readonly table: string
  readonly model: ReadModel
  readonly tables: readonly Table[]
  readonly schemas: Readonly<Pick<Shape, 'row' | 'input' | 'change'>>
  /** The rows as row rules of other entities refer to them. */
  readonly ruled: RulePlace
}

/**
 * @param name a singular noun: `invoice`, `purchaseOrder`
 * @throws Error for a definition that makes no sense, with the reason
 */
export function entity<
  const N extends string,
  const F extends Fields,
  const A extends DeclaredActions = Record<never, never>,
  const P extends ChosenMembers<F> = Record<never, never>,
  const T extends TrashOptions | undefined = undefined,
>(name: N, options: EntityOptions<F, A, P, T>): Entity<F, EntityEvents<N, F, A, P, T>> {
  const { fields, audit = true, plainList = false, notes = {}, live: isLive = false } = options
  const names = namesOf(name, options as NamedOptions) // the same options without the types of the fields
  const fieldAccess: AnyAccessOfFields = options.access?.fields ?? {}
  const shape = ruledShape(names, options, fieldAccess)
  const payload = chosenPayloads(names, shape, options.payload ?? {})
  const keys = keysOf(options, memberFinder(names.name, shape))
  // The types of the fields are for the author of these functions. The code below calls them with any row.
  const { compute = {}, hooks = {}, actions: described = {} } = options as unknown as UntypedOptions
  const actions = actionsOf(described)
  const history = historyOf(names, shape, options)
  requireSense({ names, shape, ...keys, actions, payload, computed: Object.keys(compute), keeping: history })
  const payloadOf = payloadsOf(shape, payload)
  const { place: ruled, access, byRow } = accessOf(names, shape, keys, options)
  const events = eventsOf(names, shape, summariesOf(names, actions, history), {
    payloadOf,
    actions,
    ...eventAccess(names, shape, { access, isRuled: ruled.isStated }),
  })
  const model = modelOf(names, shape, { sorted: keys.sorted, readers: access.readers, targetOf: targetModel })
  const statements = rowStatements(names, shape, model)
  const rows = new EntityRows(names, shape, statements, {
    compute: computationsOf(name, compute, { fields, shape, access: fieldAccess }),
    hooks,
    actions,
    unique: keys.unique,
    payloadOf,
    isAudited: audit,
    stateMembers: eventStateMembers(shape, [options.live, ruled.isStated]),
    mayBecomeUnreadable: byRow.mayBecomeUnreadable,
    history,
  })
  const parts = { names, shape, model, rows, statements, search: keys.search, plainList, access, ...byRow }
  const forgetUser = forgettingUser(shape, statements, rows)
  const hints = checkedHints(parts, options as HintedOptions) // the same options without the types of the fields
  const offered = offeredIn(options.without)
  const callable = { ...parts, isLive, history, offered, notes, actions: described, hints }
  const graphql = withFields(graphqlOf(callable), options.graphql ?? {})
  return {
    name,
    ...describedBy(callable, { sorted: keys.sorted, graphql }),
    table: names.table,
    model,
    // A getter, because a reference may name an entity that is declared later.
    get tables() {
      return tablesOf(names, shape, { ...keys, isKept: history !== null })
    },
    ruled,
    rowRules: () => ruled.byTable(access.readers),
    statesRows: options.access?.rows !== undefined,
    warnings: () => ruleWarnings(names, shape, keys.unique, ruled.rules()),
    ...(forgetUser !== null && { forgetUser }),
    fieldRules: new Map([[name, rulesByMember(shape)]]),
    fileNamings: () => fileNamingsOf(callable),
    columns: storedColumnsOf(names, shape, history !== null),
    ...(history !== null && { trimHistory: trimmer(history) }),
    schemas: { row: shape.row, input: shape.input, change: shape.change },
    permissions: access.permissions,
    routes: withRoutes(routesOf(callable), options.routes ?? []),
    graphql,
    ...sourcesOf(callable),
    events: events as unknown as EntityEvents<N, F, A, P, T>, // as its types say
    jobs: options.jobs ?? [],
    schedules: options.schedules ?? [],
    ...(audit && { audited: auditedOf(events) }),
    ...(verbsOf(rows) as unknown as Verbs<F>), // the fields determine its types
  }
}

function offeredIn(without: readonly Operation[] = []): Set<Operation> {
  return new Set(operations.filter((operation) => !without.includes(operation)))
}

function ruledShape(
  names: Names,
  { fields, search = [], description }: Pick<EntityOptions<Fields>, 'fields' | 'search' | 'description'>,
  access: AnyAccessOfFields,
): Shape {
  return shapeOf(names, fields, {
    description: description ?? `A row of the ${names.labels} of a tenant.`,
    search,
    rules: fieldRulesOf(names.name, fields, access),
  })
}

function keysOf(
  {
    unique = [],
    sort = ['createdAt'],
    search = [],
  }: Pick<EntityOptions<Fields>, 'unique' | 'sort' | 'search'>,
  member: (field: string) => Member,
) {
  return {
    unique: unique.map((fields) => fields.map(member)),
    sorted: sort.map((each) => sortedName(each, member)),
    search: search.map(member),
  }
}

/** The permissions of an entity, and its row rules. */
function accessOf(
  names: Names,
  shape: Shape,
  keys: { sorted: readonly string[]; unique: readonly (readonly Member[])[] },
  options: {
    access?: AccessOptions & { rows?: unknown; all?: Permission; fields?: unknown }
    actions?: unknown
  },
) {
  const {
    rows: rowsOption,
    all = `${names.name}:all` as const,
    fields: _fields,
    ...given
  } = options.access ?? {}
  const rows = rowsOption === everyRow ? undefined : rowsOption
  const indexed = [...keys.sorted.map(snakeCase), ...keys.unique.flatMap(([first]) => first?.column ?? [])]
  const actions = accessOfActions((options.actions ?? {}) as DescribedActions) // see `UntypedOptions`
  return {
    place: new RulePlace(names, shape, {
      indexed: new Set(indexed),
      resolve: rows === undefined ? null : rulesOf(rows, { all, actions: Object.keys(actions) }),
    }),
    access: grantedAccess(names, given, { actions, all: rows === undefined ? null : all }),
    byRow: {
      mayBecomeUnreadable: statesKeep(rows),
      isRuled: rows !== undefined,
      isRuledByOperation: hasRuleByOperation(rows),
    },
  }
}

/** Options whose types in `EntityOptions` depend on the fields, as the code of this file needs them. */
interface UntypedOptions {
  compute?: Computing
  hooks?: Hooks
  actions?: DescribedActions
}

/** @throws Error for a reference to something that is no entity */
function targetModel({ field, spec }: Member): ReadModel {
  const target = spec.target?.()
  if (target === undefined || !('model' in target)) throw new Error(`${field} refers to no entity.`)
  return target.model as ReadModel // of an entity
}

function verbsOf(rows: EntityRows) {
  return {
    create: (context: Context, input: Values) => rows.create(context, input),
    find: (context: Context, id: string) => rows.find(context, id),
    findAll: (context: Context, ids: readonly string[]) => rows.findAll(context, ids),
    change: (context: Context, id: string, input: Values, precondition: Precondition = null) =>
      rows.change(context, id, { input, precondition }),
    delete: (context: Context, id: string, precondition: Precondition = null) =>
      rows.delete(context, id, precondition),
    act: (context: Context, id: string, name: string, input: Values = {}) =>
      rows.act(context, id, { name, input }),
  }
}

function memberFinder(entityName: string, { members }: Shape): (field: string) => Member {
  return (field) => {
    const found = members.find((each) => each.field === field)
    if (found === undefined) throw new Error(`${entityName} has no field ${field} with a column.`)
    return found
  }
}

/** The name in sorts of a field, or of a time that every row has. */
function sortedName(field: string, member: (field: string) => Member): string {
  return field === 'createdAt' || field === 'updatedAt' ? field : member(field).name
}

function actionsOf(options: DescribedActions): Map<string, EntityAction> {
  return new Map(
    Object.entries(options).map(([name, { from = {}, to = {}, event, run }]) => [
      name,
      { from, to, event: event ?? pastOf(name), run: run ?? null },
    ]),
  )
}

function accessOfActions(actions: DescribedActions): Record<string, EntityAccess | undefined> {
  return Object.fromEntries(Object.entries(actions).map(([name, { access }]) => [name, access]))
}

/** Adds an application's routes; each replaces the generated route of the same method and path. */
function withRoutes(generated: readonly Route[], own: readonly Route[]): Route[] {
  const isReplaced = (route: Route) =>
    own.some(({ method, path }) => method === route.method && path === route.path)
  return [...generated.filter((route) => !isReplaced(route)), ...own]
}

function withFields(generated: GraphQLPart, own: GraphQLPart): GraphQLPart {
  return {
    queries: { ...generated.queries, ...own.queries },
    mutations: { ...generated.mutations, ...own.mutations },
    subscriptions: { ...generated.subscriptions, ...own.subscriptions },
  }
}
