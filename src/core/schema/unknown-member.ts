/** Finds members of an input that its schema does not name, such as misspelt ones. Reading the input drops them. */
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
    find(schema as Shape, value, '', faults) // a JSON Schema
    return faults
  }
}

function find(schema: Shape, value: unknown, pointer: string, faults: Fault[]): void {
  if (typeof value !== 'object' || value === null || faults.length >= maxFaults) return
  for (const choice of schema.anyOf ?? []) find(choice, value, pointer, faults)
  if (Array.isArray(value)) findInList(schema, value, pointer, faults)
  else findInObject(schema, value, pointer, faults)
}

function findInList({ items }: Shape, values: readonly unknown[], pointer: string, faults: Fault[]): void {
  if (items === undefined) return
  for (const [index, value] of values.entries()) find(items, value, `${pointer}/${index}`, faults)
}

function findInObject(schema: Shape, value: object, pointer: string, faults: Fault[]): void {
  const { properties, additionalProperties } = schema
  if (properties === undefined || additionalProperties === true) return
  for (const [name, member] of Object.entries(value)) {
    const shape = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (shape !== undefined) find(shape, member, `${pointer}/${name}`, faults)
    else if (faults.length < maxFaults) faults.push(faultOf(pointer, name, properties))
  }
}

function faultOf(parent: string, name: string, properties: object): Fault {
  const reason = `is unknown${suggestion(name, Object.keys(properties))}`
  return faultAt(clipPointer(`${parent}/${escapedName(name)}`), reason, 'unknownMember')
}
