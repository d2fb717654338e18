/** Who may read what an operation reaches through pages of related rows, and through filters on them. */
import type { FieldAccess } from '../../../core/feature/field.ts'
import type { Filter } from '../../../database/read/filter.ts'
import type { Relation } from '../../../database/read/read-model.ts'
import type { Selection } from '../../../database/read/selection.ts'

export function accessesOf(selections: readonly Selection[], filter: Filter): ReadonlySet<FieldAccess> {
  const accesses = new Set<FieldAccess>()
  addFilter(accesses, filter)
  for (const selection of selections) addSelection(accesses, selection)
  return accesses
}

function addSelection(accesses: Set<FieldAccess>, selection: Selection): void {
  for (const selected of selection) {
    if (selected.kind === 'relation') addSelection(accesses, selected.selection)
    if (selected.kind !== 'page') continue
    const { relation, filter, rows } = selected.page
    addRelation(accesses, relation)
    addFilter(accesses, filter)
    addSelection(accesses, rows)
  }
}

function addFilter(accesses: Set<FieldAccess>, filter: Filter): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const part of filter.parts) addFilter(accesses, part)
      break
    case 'not':
      addFilter(accesses, filter.part)
      break
    case 'related':
      addRelation(accesses, filter.relation)
      addFilter(accesses, filter.filter)
      break
    default:
  }
}

function addRelation(accesses: Set<FieldAccess>, { access }: Relation): void {
  if (access !== undefined) accesses.add(access as FieldAccess) // of a field
}
