/** Prepares a root field with the arguments of a request: its read and its cost. */

import { everything, type Filter } from '../../../database/read/filter.ts'
import type { SortKey } from '../../../database/read/order.ts'
import type { ReadModel } from '../../../database/read/read-model.ts'
import type { Selection } from '../../../database/read/selection.ts'
import { orderOf } from '../argument/order.ts'
import { type PageArguments, pageSize, type Slice, sliceOf } from '../argument/page.ts'
import { filterOf } from '../argument/where.ts'
import { costOf, selectionsIn } from '../document/cost.ts'
import type { ConnectionMember, Root } from '../document/plan.ts'
import type { GivenVariables } from '../document/variables.ts'

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

export type PreparedField<K extends keyof PreparedKinds> = PreparedKinds[K] & { cost: number }

type Of<K extends Root['kind']> = Extract<Root, { kind: K }>

/** @throws GraphQLError for arguments that the schema allows and the field refuses */
export function prepareList(
  root: Of<'list'>,
  { variables, written }: GivenVariables,
  rows: number,
): PreparedField<'list'> {
  const { field, selection, nodes } = root
  const { entity } = field
  const values = root.arguments(variables)
  const filter = filterOf(entity, values['where'] as Parameters<typeof filterOf>[1]) // by the schema
  const order = orderOf(entity, nodes[0], written)
  const cost = costOf([selection], { filter, sortKeys: order.length, rows, isPage: false })
  return { entity, selection, filter, order, rows, cost }
}

/** @throws GraphQLError likewise */
export function prepareConnection(
  root: Of<'connection'>,
  { variables, written }: GivenVariables,
): PreparedField<'connection'> {
  const { field, members, nodes } = root
  const { entity } = field
  const values = root.arguments(variables)
  const filter = filterOf(entity, values['where'] as Parameters<typeof filterOf>[1]) // by the schema
  const order = orderOf(entity, nodes[0], written)
  const page = values as PageArguments // by the schema
  const cost = costOf(selectionsIn(members), {
    filter,
    sortKeys: order.length,
    rows: pageSize(page),
    isPage: true,
  })
  return { entity, members, filter, order, slice: sliceOf(entity, order, page), cost }
}

/** @throws GraphQLError likewise */
export function prepareOne(root: Of<'one'>, { variables }: GivenVariables): PreparedField<'one'> {
  const { field, selection } = root
  const cost = costOf([selection], { filter: everything, sortKeys: 0, rows: 1, isPage: true })
  return { entity: field.entity, selection, id: String(root.arguments(variables)['id']), cost }
}
