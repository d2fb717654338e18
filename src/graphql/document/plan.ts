/** What an operation asks for, field by field: worked out once, and run with the arguments of each request. */
import type { FieldNode } from 'graphql'
import type { Entity } from '../../database/read/entity.ts'
import type { Selected, Selection } from '../../database/read/selection.ts'
import type { MutationField, QueryField, SubscriptionField } from '../field/field.ts'
import type { Api } from '../schema/schema.ts'
import { type CollectedField, type Collecting, collectFields, innerSets } from './collect.ts'

/** Of a row or an object in memory. */
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

export type Root = { as: string; name: string; nodes: readonly FieldNode[] } & (
  | { kind: 'typename'; text: string }
  | { kind: 'introspection' }
  | { kind: 'list'; field: QueryField & { entity: Entity }; selection: Selection }
  | { kind: 'one'; field: QueryField & { entity: Entity }; selection: Selection }
  | { kind: 'connection'; field: QueryField & { entity: Entity }; members: ConnectionMember[] }
  | { kind: 'object'; field: Extract<QueryField, { kind: 'object' }>; picked: Picked[] }
  | { kind: 'mutation'; field: MutationField; selection: Selection }
  | { kind: 'subscription'; field: SubscriptionField; selection: Selection }
)

const typeNames = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const

/** @param collecting of this request: what is skipped is not planned */
export function planOperation(
  api: Api,
  operation: { operation: keyof typeof typeNames; selectionSet: Parameters<typeof collectFields>[0][number] },
  collecting: Collecting,
): Root[] {
  const kind = operation.operation
  return collectFields([operation.selectionSet], collecting).map((field) => {
    const { as, name, nodes } = field
    if (name === '__typename') return { as, name, nodes, kind: 'typename', text: typeNames[kind] }
    if (name === '__schema' || name === '__type') return { as, name, nodes, kind: 'introspection' }
    return { as, name, nodes, ...planField(api, kind, field, collecting) }
  })
}

function planField(
  api: Api,
  kind: keyof typeof typeNames,
  collected: CollectedField,
  collecting: Collecting,
) {
  const { name } = collected
  const sets = innerSets(collected)
  if (kind === 'query') return planQuery(known(api.queries, name), collected, collecting)
  if (kind === 'mutation') {
    const field = known(api.mutations, name)
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

function select(entity: Entity, sets: Sets, collecting: Collecting): Selection {
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
  entity: Entity,
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

function edgeMembers(entity: Entity, sets: Sets, collecting: Collecting): EdgeMember[] {
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

/** The document was validated: what it names is there. */
function known<T>(of: ReadonlyMap<string, T>, name: string): T {
  const found = of.get(name)
  if (found === undefined) throw new Error(`${name} is not in the schema.`)
  return found
}
