/** Collects the permissions that an operation needs for related rows, which its pages select or its filters name. */
import type { FieldAccess } from '../../../core/feature/field.ts'
import { eachNamed, type Filter } from '../../../database/read/filter.ts'
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
  eachNamed(filter, (named) => {
    if ('entity' in named) addRelation(accesses, named)
  })
}

function addRelation(accesses: Set<FieldAccess>, { access }: Relation): void {
  if (access !== undefined) accesses.add(access as FieldAccess) // a relation declares its access as a field of the API does
}
