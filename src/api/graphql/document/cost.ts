/**
 * What an operation costs, told from the values that it runs with, so that a variable costs what a literal does: 10
 * for each field of the root, 1 for each object that a row brings along or for each 64 KiB of as many rows as there may be,
 * whichever is more, 1 for each sort key, and what it costs to judge a row by the filter.
 */
import type { SelectionSetNode } from 'graphql'
import { type Filter, weightOf } from '../../../database/read/filter.ts'
import { type Selection, typicalBytesOf } from '../../../database/read/selection.ts'
import { type Collecting, collectFields, innerSets } from './collect.ts'
import type { ConnectionMember } from './plan.ts'

const rootCost = 10
/** Rows of a list whose length is not known, where each counts. */
const assumedRows = 50
const bytesForOne = 64 * 1024
const assumedItems = 5
const valuesForOne = 10

/** @param rows as many as the field may have @param isPage their number is known, and they are counted each */
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
  const ofBytes = Math.floor((rows * bytes) / bytesForOne)
  return rootCost + Math.max(ofObjects, ofBytes) + weightOf(filter, valuesForOne) + sortKeys
}

export const plainCost = rootCost

/** About as many as a schema has. */
const listed: Readonly<Record<string, number>> = {
  types: 60,
  fields: 8,
  inputFields: 8,
  args: 3,
  enumValues: 3,
  directives: 5,
}
const schemaValuesForOne = 200

/** By the values that it gives; what the usual tools ask for costs a third of what is allowed. */
export function introspectionCost(sets: readonly SelectionSetNode[], collecting: Collecting): number {
  return Math.ceil(schemaValues(sets, collecting) / schemaValuesForOne)
}

function schemaValues(sets: readonly SelectionSetNode[], collecting: Collecting): number {
  return collectFields(sets, collecting).reduce((sum, field) => {
    const inner = innerSets(field)
    return sum + (inner.length === 0 ? 1 : (listed[field.name] ?? 1) * schemaValues(inner, collecting))
  }, 0)
}

export function selectionsIn(members: readonly ConnectionMember[]): Selection[] {
  return members.flatMap((member) => {
    if (member.kind === 'nodes') return [member.selection]
    if (member.kind !== 'edges') return []
    return member.members.flatMap((each) => (each.kind === 'node' ? [each.selection] : []))
  })
}

function objectsIn(selection: Selection): number {
  let sum = 0
  for (const selected of selection) {
    if (selected.kind !== 'relation') continue
    const objects = 1 + objectsIn(selected.selection)
    sum += selected.relation.kind === 'one' ? objects : 1 + assumedItems * objects
  }
  return sum
}
