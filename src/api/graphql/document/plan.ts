/** The plan of an operation, field by field: created once, and run with the arguments of each request. */
import {
  type FieldNode,
  type GraphQLField,
  isObjectType,
  type OperationDefinitionNode,
  type OperationTypeNode,
} from 'graphql'
import type {
  EntityQueryField,
  ObjectMutation,
  QueryField,
  RowMutation,
  SubscriptionField,
} from '../../../core/feature/field.ts'
import { markedIn } from '../../../database/read/mark.ts'
import type { ReadModel, Relation } from '../../../database/read/read-model.ts'
import type { EdgeMember, Selection } from '../../../database/read/selection.ts'
import { type ArgumentReader, argumentReader } from '../argument/arguments.ts'
import { refuse } from '../error.ts'
import { deletedRow } from '../schema/deleted-row.ts'
import type { Api } from '../schema/schema.ts'
import { type CollectedField, type Collecting, collectFields, innerSets } from './collect.ts'
import { fixedSelection, type PlannedMember, type PlannedSelected, type PlannedSelection } from './planned.ts'

/** A selected member of an object in memory. */
export type Picked = { as: string; name: string; inner: Picked[] }

export type Root = { as: string; nodes: readonly FieldNode[] } & (
  | { kind: 'typename'; text: string }
  | { kind: 'introspection' }
  | ({ arguments: ArgumentReader } & FieldRoot)
)

type FieldRoot =
  | { kind: 'list'; field: EntityQueryField; selection: PlannedSelection }
  | { kind: 'one'; field: EntityQueryField; selection: PlannedSelection }
  | { kind: 'connection'; field: EntityQueryField; members: PlannedMember[] }
  | { kind: 'aggregate'; field: EntityQueryField; picked: Picked[] }
  | { kind: 'object'; field: Extract<QueryField, { kind: 'object' }>; picked: Picked[] }
  | { kind: 'mutation'; field: RowMutation; selection: PlannedSelection }
  | { kind: 'objectMutation'; field: ObjectMutation; picked: Picked[] }
  | { kind: 'subscription'; field: SubscriptionField; selection: Selection }

const typeNames = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

interface Planning {
  api: Api
  collecting: Collecting
  /** The keys of the pages of related rows so far. A key names its page in the row that the database renders. */
  keys: string[]
}

/**
 * @param collecting of the request: skipped fields are not planned
 * @throws GraphQLError for a subscription to pages of related rows
 */
export function planOperation(
  api: Api,
  operation: Pick<OperationDefinitionNode, 'operation' | 'selectionSet'>,
  collecting: Collecting,
): Root[] {
  const kind = operation.operation
  return collectFields([operation.selectionSet], collecting).map((field) => {
    const { as, name, nodes } = field
    if (name === '__typename') return { as, nodes, kind: 'typename', text: typeNames[kind] }
    if (name === '__schema' || name === '__type') return { as, nodes, kind: 'introspection' }
    const planning = { api, collecting, keys: [] }
    return {
      as,
      nodes,
      arguments: argumentsOf(api, typeNames[kind], field),
      ...planField(planning, kind, field),
    }
  })
}

/** Reads the arguments of the first occurrence of a field. Validation has made sure that all others are equal. */
function argumentsOf({ schema }: Api, typeName: string, { name, nodes }: CollectedField): ArgumentReader {
  const type = schema.getType(typeName)
  const definition = isObjectType(type) ? type.getFields()[name] : undefined
  const [node] = nodes
  if (definition === undefined || node === undefined) throw new Error(`${name} is not in the schema.`)
  return argumentReader(definition as GraphQLField<unknown, unknown>, node) // resolvers are not used
}

function planField(planning: Planning, kind: OperationTypeNode, collected: CollectedField) {
  const { api } = planning
  const { name } = collected
  const sets = innerSets(collected)
  if (kind === 'query') return planQuery(planning, known(api.queries, name), collected)
  if (kind === 'mutation') {
    const field = known(api.mutations, name)
    if (field.kind === 'object')
      return { kind: 'objectMutation', field, picked: pick(collected, planning.collecting) } as const
    return { kind: 'mutation', field, selection: select(planning, field.entity, sets) } as const
  }
  const field = known(api.subscriptions, name)
  const sent = field.isDeletion === true ? deletedRow : field.entity
  return { kind: 'subscription', field, selection: selectFixed(planning, sent, sets) } as const
}

function planQuery(planning: Planning, field: QueryField, collected: CollectedField) {
  const { collecting } = planning
  const sets = innerSets(collected)
  switch (field.kind) {
    case 'object':
      return { kind: 'object', field, picked: pick(collected, collecting) } as const
    case 'aggregate':
      return { kind: 'aggregate', field, picked: pick(collected, collecting) } as const
    case 'connection':
      return {
        kind: 'connection',
        field,
        members: connectionMembers(planning, field.entity, collected),
      } as const
    case 'list':
      return { kind: 'list', field, selection: select(planning, field.entity, sets) } as const
    case 'one':
      return { kind: 'one', field, selection: select(planning, field.entity, sets) } as const
  }
}

type SelectionSets = Parameters<typeof collectFields>[0]

function select(planning: Planning, entity: ReadModel, sets: SelectionSets): PlannedSelection {
  return collectFields(sets, planning.collecting).map((field): PlannedSelected => {
    const { as, name } = field
    if (name === '__typename') return { kind: 'constant', as, text: entity.name }
    const relation = entity.relations.get(name)
    // `userNames` has members that GraphQL alone has: the names of users whose ids are fields.
    if (relation === undefined)
      return { kind: 'field', as, field: entity.userNames?.get(name) ?? known(entity.fields, name) }
    if (relation.isPaged === true) return planPage(planning, entity, { relation, field })
    const selection = select(planning, relation.entity, innerSets(field))
    return { kind: 'relation', as, relation, selection }
  })
}

/** Plans the selection of a subscription. All subscribers of an event share one read, which has no arguments. */
function selectFixed(planning: Planning, entity: ReadModel, sets: SelectionSets): Selection {
  const selection = fixedSelection(select(planning, entity, sets))
  if (selection === null) throw refuse('validation', 'A subscription cannot select pages of related rows.')
  const completed = markedIn(selection) // a member that is put in after the read, such as the name of a user
  if (completed !== null)
    throw refuse('validation', `A subscription cannot select ${completed}, which is made after the read.`)
  return selection
}

function planPage(
  planning: Planning,
  entity: ReadModel,
  { relation, field }: { relation: Relation; field: CollectedField },
): PlannedSelected {
  const { api, keys } = planning
  const { as, nodes } = field
  const [node] = nodes
  if (node === undefined) throw new Error(`${as} is not in the document.`)
  const key = `p${keys.length}`
  keys.push(key)
  const members = connectionMembers(planning, relation.entity, field)
  const readArguments = argumentsOf(api, entity.name, field)
  return { kind: 'page', as, key, relation, members, arguments: readArguments, node }
}

function connectionMembers(
  planning: Planning,
  entity: ReadModel,
  collected: CollectedField,
): PlannedMember[] {
  const { collecting } = planning
  return collectFields(innerSets(collected), collecting).map((field): PlannedMember => {
    const { as, name } = field
    const sets = innerSets(field)
    switch (name) {
      case 'nodes':
        return { kind: 'nodes', as, selection: select(planning, entity, sets) }
      case 'edges':
        return { kind: 'edges', as, members: edgeMembers(planning, entity, sets) }
      case 'pageInfo':
        return {
          kind: 'pageInfo',
          as,
          members: collectFields(sets, collecting).map(({ as: key, name: of }) => ({ as: key, name: of })),
        }
      case 'totalCount':
        return { kind: 'totalCount', as }
      default:
        return { kind: 'constant', as, text: `${entity.name}Connection` }
    }
  })
}

function edgeMembers(
  planning: Planning,
  entity: ReadModel,
  sets: SelectionSets,
): EdgeMember<PlannedSelection>[] {
  return collectFields(sets, planning.collecting).map((field): EdgeMember<PlannedSelection> => {
    const { as, name } = field
    if (name === 'cursor') return { kind: 'cursor', as }
    if (name === 'node') return { kind: 'node', as, selection: select(planning, entity, innerSets(field)) }
    return { kind: 'constant', as, text: `${entity.name}Edge` }
  })
}

function pick(collected: CollectedField, collecting: Collecting): Picked[] {
  return collectFields(innerSets(collected), collecting).map((field) => ({
    as: field.as,
    name: field.name,
    inner: pick(field, collecting),
  }))
}

/** Finds a name that the document uses. Validation has made sure that the schema has it. */
function known<T>(of: ReadonlyMap<string, T>, name: string): T {
  const found = of.get(name)
  if (found === undefined) throw new Error(`${name} is not in the schema.`)
  return found
}
