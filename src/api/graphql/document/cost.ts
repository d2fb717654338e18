/**
 * The cost of an operation with its values, so that a variable costs as much as a literal: 10 for each root field; 1
 * for each object of a row or for each 64 KiB of the maximum rows, whichever is more; 1 for each sort key; and the
 * weight of the filter.
 */
import type { SelectionSetNode } from 'graphql'
import { type Filter, weightOf } from '../../../database/read/filter.ts'
import {
  type RelationPage,
  type Selection,
  selectionsIn,
  typicalBytesOf,
} from '../../../database/read/selection.ts'
import { type Collecting, collectFields, innerSets } from './collect.ts'

const rootCost = 10
/** The number of rows that a list of unknown length is assumed to have. */
const assumedRows = 50
const bytesPerUnit = 64 * 1024
/** The number of items that each row of a list is assumed to have in a list of its own. */
const assumedItems = 5
/** A list of values in a filter costs a unit for each so many of them. */
const valuesPerUnit = 10

/**
 * @param rows the maximum number of rows that the field returns
 * @param isPage whether the request asks for so many, and each row counts; else `assumedRows` of them count
 */
export function costOf(
  selections: readonly Selection[],
  { filter, sortKeys, rows, isPage }: { filter: Filter; sortKeys: number; rows: number; isPage: boolean },
): number {
  let objects = 0
  let bytes = 0
  for (const selection of selections) {
    objects += 1 + objectsIn(selection)
    bytes += typicalBytesOf(selection)
  }
  const ofObjects = objects * (isPage ? rows : assumedRows)
  const ofBytes = Math.floor((rows * bytes) / bytesPerUnit)
  return rootCost + Math.max(ofObjects, ofBytes) + weightOf(filter, valuesPerUnit) + sortKeys
}

/** The cost of an aggregate. @param groups the maximum number, if known @param terms keys, values and sort keys */
export function groupsCost(of: {
  filter: Filter
  groups: number | null
  objects: number
  terms: number
}): number {
  return rootCost + of.objects * (of.groups ?? assumedRows) + weightOf(of.filter, valuesPerUnit) + of.terms
}

/** The cost of a root field that selects no rows. */
export const plainCost = rootCost

/** Typical lengths of the lists of a schema. */
const typicalLengths: Readonly<Record<string, number>> = {
  types: 60,
  fields: 8,
  inputFields: 8,
  args: 3,
  enumValues: 3,
  directives: 5,
}
const schemaValuesPerUnit = 200

/** Counts the returned values. The introspection query of the usual tools costs a third of the limit. */
export function introspectionCost(sets: readonly SelectionSetNode[], collecting: Collecting): number {
  return Math.ceil(schemaValues(sets, collecting) / schemaValuesPerUnit)
}

function schemaValues(sets: readonly SelectionSetNode[], collecting: Collecting): number {
  return collectFields(sets, collecting).reduce((sum, field) => {
    const inner = innerSets(field)
    return (
      sum + (inner.length === 0 ? 1 : (typicalLengths[field.name] ?? 1) * schemaValues(inner, collecting))
    )
  }, 0)
}

/** A page of related rows costs as much as a page that is a root field, without the 10 units of a root field. */
function objectsIn(selection: Selection): number {
  let sum = 0
  for (const selected of selection) {
    if (selected.kind === 'page') sum += 1 + objectsOfPage(selected.page)
    if (selected.kind !== 'relation') continue
    const objects = 1 + objectsIn(selected.selection)
    sum += selected.relation.kind === 'one' ? objects : 1 + assumedItems * objects
  }
  return sum
}

function objectsOfPage({ members, size, filter, order }: RelationPage): number {
  const objects = selectionsIn(members).reduce((sum, selection) => sum + 1 + objectsIn(selection), 0)
  return size * objects + weightOf(filter, valuesPerUnit) + order.length
}
