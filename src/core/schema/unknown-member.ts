/**
 * Finds members of an input that its schema does not name, such as misspelt ones. Reading the input drops them. Where a
 * value may match one of several schemas, a member is unknown if none of them names it.
 */
import type { TSchema } from 'typebox'
import { type Fault, faultAt } from '../errors.ts'
import { suggestion } from '../names.ts'
import { clipPointer, escapedName } from './schema-errors.ts'

/** The maximum number of unknown members that one error reports. */
const maxFaults = 20

interface Shape {
  properties?: Readonly<Record<string, Shape>>
  items?: Shape
  anyOf?: readonly Shape[]
  additionalProperties?: unknown
}

/** @returns a function that finds the unknown members, each with the nearest name of the schema */
export function unknownMemberFinder(schema: TSchema): (value: unknown) => Fault[] {
  return (value) => {
    const faults: Fault[] = []
    find(alternativesOf(schema as Shape), value, '', faults) // a JSON Schema
    return faults
  }
}

/** @returns the schema, and those of which a value may match any */
function alternativesOf(schema: Shape): Shape[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(alternativesOf)]
}

function find(alternatives: readonly Shape[], value: unknown, pointer: string, faults: Fault[]): void {
  if (typeof value !== 'object' || value === null || faults.length >= maxFaults) return
  if (Array.isArray(value)) findInList(alternatives, value, pointer, faults)
  else findInObject(alternatives, value, pointer, faults)
}

function findInList(
  alternatives: readonly Shape[],
  values: readonly unknown[],
  pointer: string,
  faults: Fault[],
): void {
  const ofItem = alternatives.flatMap(({ items }) => (items === undefined ? [] : alternativesOf(items)))
  if (ofItem.length === 0) return
  for (const [index, value] of values.entries()) find(ofItem, value, `${pointer}/${index}`, faults)
}

function findInObject(alternatives: readonly Shape[], value: object, pointer: string, faults: Fault[]): void {
  const all = alternatives.flatMap(({ properties }) => (properties === undefined ? [] : [properties]))
  const isOpen = alternatives.some(({ additionalProperties }) => additionalProperties === true)
  if (all.length === 0 || isOpen) return
  for (const [name, member] of Object.entries(value)) {
    const named = all.flatMap((properties) => ownMember(properties, name))
    if (named.length > 0)
      find(named.flatMap(alternativesOf), member, `${pointer}/${escapedName(name)}`, faults)
    else if (faults.length < maxFaults) faults.push(faultOf(pointer, name, all.flatMap(Object.keys)))
  }
}

/** @returns a list of one, or an empty one: a name such as `constructor`, which every object has, finds nothing */
function ownMember(properties: Readonly<Record<string, Shape>>, name: string): Shape[] {
  const shape = Object.hasOwn(properties, name) ? properties[name] : undefined
  return shape === undefined ? [] : [shape]
}

function faultOf(parent: string, name: string, known: readonly string[]): Fault {
  const reason = `is unknown${suggestion(name, known)}`
  return faultAt(clipPointer(`${parent}/${escapedName(name)}`), reason, 'unknownMember')
}
