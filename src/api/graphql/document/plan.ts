/** The plan of an operation, field by field: created once, and run with the arguments of each request. */
import type { FieldNode, GraphQLField, OperationDefinitionNode, OperationTypeNode } from 'graphql'
import type {
  ObjectMutation,
  QueryField,
  RowMutation,
  SubscriptionField,
} from '../../../core/feature/field.ts'
import type { ReadModel } from '../../../database/read/read-model.ts'
import type { Selected, Selection } from '../../../database/read/selection.ts'
import { type ArgumentReader, argumentReader } from '../argument/arguments.ts'
import type { Api } from '../schema/schema.ts'
import { type CollectedField, type Collecting, collectFields, innerSets } from './collect.ts'

/** A selected member of an object in memory. */
export type Picked = { as: string; name: string; inner: Picked[] }

export type ConnectionMember =
  | { kind: 'nodes'; as: string; selection: Selection }
  | { kind: 'edges'; as: string; members: EdgeMember[] }
  | { kind: 'pageInfo'; as: string; members: { as: string; name: string }[] }
  | { kind: 'totalCount'; as: string }
  | { kind: 'constant'; as: string; text: string }

export type EdgeMember =
  | { kind: 'cursor'; as: string }
  | { kind: 'node'; as: string; selection: Selection }
  | { kind: 'constant'; as: string; text: string }

export type Root = { as: string; nodes: readonly FieldNode[] } & (
  | { kind: 'typename'; text: string }
  | { kind: 'introspection' }
  | ({ arguments: ArgumentReader } & FieldRoot)
)

type FieldRoot =
  | { kind: 'list'; field: QueryField & { entity: ReadModel }; selection: Selection }
  | { kind: 'one'; field: QueryField & { entity: ReadModel }; selection: Selection }
  | { kind: 'connection'; field: QueryField & { entity: ReadModel }; members: ConnectionMember[] }
  | { kind: 'object'; field: Extract<QueryField, { kind: 'object' }>; picked: Picked[] }
  | { kind: 'mutation'; field: RowMutation; selection: Selection }
  | { kind: 'objectMutation'; field: ObjectMutation; picked: Picked[] }
  | { kind: 'subscription'; field: SubscriptionField; selection: Selection }

const typeNames = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

/** @param collecting of the request: skipped fields are not planned */
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
    return { as, nodes, arguments: argumentsOf(api, kind, field), ...planField(api, kind, field, collecting) }
  })
}

/** The arguments of the first occurrence; the others are equal. */
function argumentsOf(
  { schema }: Api,
  kind: OperationTypeNode,
  { name, nodes }: CollectedField,
): ArgumentReader {
  const definition = schema.getRootType(kind)?.getFields()[name]
  const [node] = nodes
  if (definition === undefined || node === undefined) throw new Error(`${name} is not in the schema.`)
  return argumentReader(definition as GraphQLField<unknown, unknown>, node) // resolvers are not used
}

function planField(api: Api, kind: OperationTypeNode, collected: CollectedField, collecting: Collecting) {
  const { name } = collected
  const sets = innerSets(collected)
  if (kind === 'query') return planQuery(known(api.queries, name), collected, collecting)
  if (kind === 'mutation') {
    const field = known(api.mutations, name)
    if (field.kind === 'object')
      return { kind: 'objectMutation', field, picked: pick(collected, collecting) } as const
    return { kind: 'mutation', field, selection: select(field.entity, sets, collecting) } as const
  }
  const field = known(api.subscriptions, name)
  return { kind: 'subscription', field, selection: select(field.entity, sets, collecting) } as const
}

function planQuery(field: QueryField, collected: CollectedField, collecting: Collecting) {
  const sets = innerSets(collected)
  switch (field.kind) {
    case 'object':
      return { kind: 'object', field, picked: pick(collected, collecting) } as const
    case 'connection':
      return {
        kind: 'connection',
        field,
        members: connectionMembers(field.entity, collected, collecting),
      } as const
    case 'list':
      return { kind: 'list', field, selection: select(field.entity, sets, collecting) } as const
    case 'one':
      return { kind: 'one', field, selection: select(field.entity, sets, collecting) } as const
  }
}

type Sets = Parameters<typeof collectFields>[0]

function select(entity: ReadModel, sets: Sets, collecting: Collecting): Selection {
  return collectFields(sets, collecting).map((field): Selected => {
    const { as, name } = field
    if (name === '__typename') return { kind: 'constant', as, text: entity.name }
    const relation = entity.relations.get(name)
    if (relation === undefined) return { kind: 'field', as, field: known(entity.fields, name) }
    return {
      kind: 'relation',
      as,
      relation,
      selection: select(relation.entity, innerSets(field), collecting),
    }
  })
}

function connectionMembers(
  entity: ReadModel,
  collected: CollectedField,
  collecting: Collecting,
): ConnectionMember[] {
  return collectFields(innerSets(collected), collecting).map((field): ConnectionMember => {
    const { as, name } = field
    const sets = innerSets(field)
    switch (name) {
      case 'nodes':
        return { kind: 'nodes', as, selection: select(entity, sets, collecting) }
      case 'edges':
        return { kind: 'edges', as, members: edgeMembers(entity, sets, collecting) }
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

function edgeMembers(entity: ReadModel, sets: Sets, collecting: Collecting): EdgeMember[] {
  return collectFields(sets, collecting).map((field): EdgeMember => {
    const { as, name } = field
    if (name === 'cursor') return { kind: 'cursor', as }
    if (name === 'node') return { kind: 'node', as, selection: select(entity, innerSets(field), collecting) }
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

/** Every name of a validated document is known. */
function known<T>(of: ReadonlyMap<string, T>, name: string): T {
  const found = of.get(name)
  if (found === undefined) throw new Error(`${name} is not in the schema.`)
  return found
}
