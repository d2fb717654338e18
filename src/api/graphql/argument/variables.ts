/**
 * Reads the values of variables by the given members only: the library visits all members of a type, and filters have
 * dozens. The library reads values that are not plainly valid, and reports their faults.
 */
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'

/** @returns `undefined` for a value that the library has to read */
type ValueReader = (value: unknown) => unknown

type Values = Record<string, unknown>

/** @returns a function that returns the values, or `undefined` if the library has to read them */
export function variableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (given: Values) => Values | undefined {
  const readers = definitions.map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node)
    const mayBeAbsent = defaultValue === undefined && !isNonNullType(type)
    return {
      name: variable.name.value,
      read: isInputType(type) ? readerOf(type) : leaveToLibrary,
      mayBeAbsent,
    }
  })
  return (given) => {
    const values: Values = {}
    for (const { name, read, mayBeAbsent } of readers) {
      if (!Object.hasOwn(given, name)) {
        if (mayBeAbsent) continue
        return undefined
      }
      const value = read(given[name])
      if (value === undefined) return undefined
      values[name] = value
    }
    return values
  }
}

const leaveToLibrary: ValueReader = () => undefined

function readerOf(type: GraphQLInputType): ValueReader {
  if (isNonNullType(type)) {
    const read = readerOf(type.ofType)
    return (value) => (value === null ? undefined : read(value))
  }
  const read = isListType(type)
    ? listReader(type.ofType)
    : isInputObjectType(type)
      ? objectReader(type)
      : leafReader(type)
  return (value) => (value === null ? null : read(value))
}

function listReader(type: GraphQLInputType): ValueReader {
  const read = readerOf(type)
  return (value) => {
    if (!Array.isArray(value)) return undefined
    const items: unknown[] = []
    for (const each of value) {
      const item = read(each)
      if (item === undefined) return undefined // the library reports each invalid item
      items.push(item)
    }
    return items
  }
}

const objectReaders = new WeakMap<GraphQLInputObjectType, ValueReader>()

function objectReader(type: GraphQLInputObjectType): ValueReader {
  let known = objectReaders.get(type)
  if (known === undefined) {
    known = createObjectReader(type)
    objectReaders.set(type, known)
  }
  return known
}

/** The reader writes members in the order of the type, as the library does. */
function createObjectReader(type: GraphQLInputObjectType): ValueReader {
  const fields = Object.values(type.getFields())
  // The library puts in defaults, and reports required members that are missing.
  const isOpen = fields.every((field) => field.defaultValue === undefined && !isNonNullType(field.type))
  if (!isOpen || type.isOneOf) return leaveToLibrary
  const indexes = new Map(fields.map(({ name }, index) => [name, index]))
  const indexOf = (name: string) => indexes.get(name) ?? -1
  const readers: ValueReader[] = []
  const readMember = (name: string, value: unknown): unknown => {
    const index = indexOf(name)
    const field = fields[index]
    if (field === undefined) return undefined
    readers[index] ??= readerOf(field.type)
    return readers[index](value)
  }
  return (value) => {
    if (typeof value !== 'object' || Array.isArray(value)) return undefined
    const given = value as Values // an object: `null` was read before
    const names = Object.keys(given)
    if (names.length > 1) names.sort((one, other) => indexOf(one) - indexOf(other))
    const values: Values = {}
    for (const name of names) {
      const read = readMember(name, given[name])
      if (read === undefined) return undefined
      values[name] = read
    }
    return values
  }
}

function leafReader(type: GraphQLLeafType): ValueReader {
  return (value) => {
    try {
      return type.parseValue(value)
    } catch {
      return undefined
    }
  }
}
