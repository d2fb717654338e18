/** Binds a planned selection to a request: its pages of related rows get the arguments of that request. */
import { encodeRowCursor } from '../../../core/row-cursor.ts'
import { unionOf } from '../../../database/read/projection.ts'
import {
  type ConnectionMember,
  type RelationPage,
  type Selected,
  type Selection,
  selectionsIn,
} from '../../../database/read/selection.ts'
import { orderOf } from '../argument/order.ts'
import { type PageArguments, sliceOf } from '../argument/page.ts'
import { filterOf } from '../argument/where.ts'
import {
  fixedSelection,
  type PlannedMember,
  type PlannedPage,
  type PlannedSelected,
  type PlannedSelection,
} from '../document/planned.ts'
import type { GivenVariables } from '../document/variables.ts'

/** @throws GraphQLError for arguments that the schema allows and the page refuses */
export function boundSelection(planned: PlannedSelection, given: GivenVariables): Selection {
  return fixedSelection(planned) ?? planned.map((selected) => boundMember(selected, given))
}

/** @throws GraphQLError for arguments that the schema allows and the page refuses */
export function boundMembers(members: readonly PlannedMember[], given: GivenVariables): ConnectionMember[] {
  return members.map((member): ConnectionMember => {
    if (member.kind === 'nodes') return { ...member, selection: boundSelection(member.selection, given) }
    if (member.kind !== 'edges') return member
    const inner = member.members.map((each) =>
      each.kind === 'node' ? { ...each, selection: boundSelection(each.selection, given) } : each,
    )
    return { ...member, members: inner }
  })
}

function boundMember(selected: PlannedSelected, given: GivenVariables): Selected {
  switch (selected.kind) {
    case 'relation':
      return { ...selected, selection: boundSelection(selected.selection, given) }
    case 'page':
      return { kind: 'page', as: selected.as, page: boundPage(selected, given) }
    default:
      return selected
  }
}

function boundPage(
  { key, relation, members, node, ...page }: PlannedPage,
  given: GivenVariables,
): RelationPage {
  const { entity } = relation
  const values = page.arguments(given.variables)
  const order = orderOf(entity, node, given.written)
  const bound = boundMembers(members, given)
  return {
    key,
    relation,
    order,
    members: bound,
    ...sliceOf(entity, order, values as PageArguments), // the schema admits no other type
    filter: filterOf(entity, values['where'] as Parameters<typeof filterOf>[1]), // the schema admits no other type
    rows: unionOf(selectionsIn(bound)),
    cursorOf: (position) => encodeRowCursor(entity, order, position),
  }
}
