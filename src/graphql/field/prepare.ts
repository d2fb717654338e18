/** A field of the root with the arguments of a request: what it is to do, and what that costs. */
import { type FieldNode, type GraphQLField, getArgumentValues } from 'graphql'
import type { Entity } from '../../database/read/entity.ts'
import type { Filter } from '../../database/read/filter.ts'
import type { SortKey } from '../../database/read/order.ts'
import type { Selection } from '../../database/read/selection.ts'
import { orderOf } from '../argument/order.ts'
import { type PageArguments, pageSize, type Slice, sliceOf } from '../argument/page.ts'
import { filterOf } from '../argument/where.ts'
import { costOf, plainCost, selectionsIn } from '../document/cost.ts'
import type { Variables } from '../document/operation.ts'
import type { ConnectionMember, Root } from '../document/plan.ts'

export interface FieldArguments {
  /** By the types of the schema. */
  values: Variables
  /** Variables as the client sent them. */
  written: Variables
}

interface PreparedKinds {
  list: { entity: Entity; selection: Selection; filter: Filter; order: SortKey[]; rows: number }
  one: { entity: Entity; selection: Selection; id: string }
  connection: { entity: Entity; members: ConnectionMember[]; filter: Filter; order: SortKey[]; slice: Slice }
  other: { args: Variables }
}

export type Prepared<K extends keyof PreparedKinds> = PreparedKinds[K] & { cost: number }

type Of<K extends Root['kind']> = Extract<Root, { kind: K }>

/** @throws GraphQLError for arguments that the types let through and the field does not */
export function prepareList(
  root: Of<'list'>,
  { values, written }: FieldArguments,
  rows: number,
): Prepared<'list'> {
  const { field, selection, nodes } = root
  const { entity } = field
  const filter = filterOf(entity, values['where'] as Parameters<typeof filterOf>[1]) // by the schema
  const order = orderOf(entity, nodes[0], written)
  const cost = costOf([selection], filter, order.length, null)
  return { entity, selection, filter, order, rows, cost }
}

/** @throws GraphQLError likewise */
export function prepareConnection(
  root: Of<'connection'>,
  { values, written }: FieldArguments,
): Prepared<'connection'> {
  const { field, members, nodes } = root
  const { entity } = field
  const filter = filterOf(entity, values['where'] as Parameters<typeof filterOf>[1]) // by the schema
  const order = orderOf(entity, nodes[0], written)
  const page = values as PageArguments // by the schema
  const cost = costOf(selectionsIn(members), filter, order.length, pageSize(page))
  return { entity, members, filter, order, slice: sliceOf(entity, order, page), cost }
}

export function prepareOne(root: Of<'one'>, { values }: FieldArguments): Prepared<'one'> {
  const { field, selection } = root
  const cost = costOf([selection], { kind: 'and', parts: [] }, 0, 1)
  return { entity: field.entity, selection, id: String(values['id']), cost }
}

export function prepareOther(root: Root, { values }: FieldArguments): Prepared<'other'> {
  return { args: values, cost: root.kind === 'typename' ? 0 : plainCost }
}

/** @throws GraphQLError for values that are not of the types of the arguments */
export function argumentsOf(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Variables,
): Variables {
  return getArgumentValues(definition, node, variables)
}
