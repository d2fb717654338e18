/** Prepares a root field with the arguments of a request: its read and its cost. */

import type { FieldAccess } from '../../../core/feature/field.ts'
import { everything, type Filter } from '../../../database/read/filter.ts'
import type { SortKey } from '../../../database/read/order.ts'
import type { ReadModel } from '../../../database/read/read-model.ts'
import { type ConnectionMember, type Selection, selectionsIn } from '../../../database/read/selection.ts'
import { orderOf } from '../argument/order.ts'
import { type PageArguments, pageSize, type Slice, sliceOf } from '../argument/page.ts'
import { filterOf } from '../argument/where.ts'
import { costOf, plainCost } from '../document/cost.ts'
import type { Root } from '../document/plan.ts'
import type { GivenVariables } from '../document/variables.ts'
import { accessesOf } from './access.ts'
import { boundMembers, boundSelection } from './bind.ts'

interface PreparedKinds {
  list: { entity: ReadModel; selection: Selection; filter: Filter; order: SortKey[]; rows: number }
  one: { entity: ReadModel; selection: Selection; id: string }
  connection: {
    entity: ReadModel
    members: ConnectionMember[]
    filter: Filter
    order: SortKey[]
    slice: Slice
  }
}

export type PreparedField<K extends keyof PreparedKinds> = PreparedKinds[K] & {
  cost: number
  /** The permissions that related rows need, besides that of the field. */
  accesses: ReadonlySet<FieldAccess>
}

type RootOf<K extends Root['kind']> = Extract<Root, { kind: K }>

/** @throws GraphQLError for arguments that the schema allows and the field refuses */
export function prepareList(
  root: RootOf<'list'>,
  given: GivenVariables,
  rows: number,
): PreparedField<'list'> {
  const { variables, written } = given
  const { field, nodes } = root
  const selection = boundSelection(root.selection, given)
  const { entity } = field
  const values = root.arguments(variables)
  const filter = filterOf(entity, values['where'] as Parameters<typeof filterOf>[1]) // the schema admits no other type
  const order = orderOf(entity, nodes[0], written)
  const cost = costOf([selection], { filter, sortKeys: order.length, rows, isPage: false })
  const accesses = accessesOf([selection], filter)
  return { entity, selection, filter, order, rows, cost, accesses }
}

/** @throws GraphQLError for arguments that the schema allows and the field refuses */
export function prepareConnection(
  root: RootOf<'connection'>,
  given: GivenVariables,
): PreparedField<'connection'> {
  const { variables, written } = given
  const { field, nodes } = root
  const members = boundMembers(root.members, given)
  const { entity } = field
  const values = root.arguments(variables)
  const filter = filterOf(entity, values['where'] as Parameters<typeof filterOf>[1]) // the schema admits no other type
  const order = orderOf(entity, nodes[0], written)
  const page = values as PageArguments // the schema admits no other type
  const selections = selectionsIn(members)
  const accesses = accessesOf(selections, filter)
  const cost = costOf(selections, {
    filter,
    sortKeys: order.length,
    rows: pageSize(page),
    isPage: true,
  })
  return { entity, members, filter, order, slice: sliceOf(entity, order, page), cost, accesses }
}

/** @throws GraphQLError for arguments that the schema allows and the field refuses */
export function prepareOne(root: RootOf<'one'>, given: GivenVariables): PreparedField<'one'> {
  const { field } = root
  const selection = boundSelection(root.selection, given)
  const cost = costOf([selection], { filter: everything, sortKeys: 0, rows: 1, isPage: true })
  const id = String(root.arguments(given.variables)['id'])
  return { entity: field.entity, selection, id, cost, accesses: accessesOf([selection], everything) }
}

/** Prepares the read of a mutation's result. @throws GraphQLError for arguments that its pages refuse */
export function prepareResult(
  root: RootOf<'mutation'>,
  given: GivenVariables,
): { selection: Selection; cost: number; accesses: ReadonlySet<FieldAccess> } {
  const selection = boundSelection(root.selection, given)
  const ofRow = costOf([selection], { filter: everything, sortKeys: 0, rows: 1, isPage: true })
  const cost = selection === root.selection ? plainCost : ofRow
  return { selection, cost, accesses: accessesOf([selection], everything) }
}
