/**
 * Reads the arguments of a field. Literals are read once, when the document is prepared. The values of variables are
 * put in for each request. The library (graphql-js) reads everything else, and refuses what is wrong.
 */
import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getArgumentValues,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
} from 'graphql'
import type { Variables } from '../document/variables.ts'

/** @throws GraphQLError for values of other types */
export type ArgumentReader = (variables: Variables) => Variables

/** @param node of the field in a validated document */
export function argumentReader(definition: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentReader {
  const readByLibrary: ArgumentReader = (variables) => getArgumentValues(definition, node, variables)
  const read = membersReader(definition.args, node.arguments ?? [], () => ({}))
  if (read === null) return readByLibrary
  return (variables) => {
    const values = read(variables)
    return values === unreadable ? readByLibrary(variables) : (values as Variables) // `membersReader` makes an object
  }
}

/** Stands for a value that may be wrong: the library then reads the arguments, and refuses what is wrong. */
const unreadable = Symbol('unreadable')
/** Stands for a variable that the request does not give. */
const missing = Symbol('missing')

type ValueReader = (variables: Variables) => unknown

interface Member {
  name: string
  /** `null` if the document does not name the member. */
  read: ValueReader | null
  /** The value of an absent member: its default, `missing` if it is optional, or `unreadable`. */
  fallback: unknown
}

interface NamedValue {
  name: { value: string }
  value: ValueNode
}

/** The library also makes input objects without a prototype. */
const emptyObject = (): Variables => Object.create(null)

/** @returns `null` for members that the library has to read */
function membersReader(
  declared: readonly (GraphQLArgument | GraphQLInputField)[],
  given: readonly NamedValue[],
  empty: () => Variables,
): ValueReader | null {
  const members: Member[] = []
  for (const { name, type, defaultValue } of declared) {
    const value = given.find((each) => each.name.value === name)?.value
    const read = value === undefined ? null : valueReader(type, value)
    if (value !== undefined && read === null) return null
    const otherwise = isNonNullType(type) ? unreadable : missing
    members.push({ name, read, fallback: defaultValue === undefined ? otherwise : defaultValue })
  }
  return (variables) => {
    const values = empty()
    for (const member of members) {
      const value = memberValue(member, variables)
      if (value === unreadable) return unreadable
      if (value !== missing) values[member.name] = value
    }
    return values
  }
}

function memberValue({ read, fallback }: Member, variables: Variables): unknown {
  const value = read === null ? missing : read(variables)
  return value === missing ? fallback : value
}

/** @returns `null` for a value that the library has to read */
function valueReader(type: GraphQLInputType, node: ValueNode): ValueReader | null {
  if (node.kind === Kind.VARIABLE) return variableReader(node.name.value, isNonNullType(type))
  if (!hasVariables(node)) {
    const value = valueFromAST(node, type)
    return value === undefined ? null : () => value
  }
  const inner = isNonNullType(type) ? type.ofType : type
  if (node.kind === Kind.OBJECT && isInputObjectType(inner) && !inner.isOneOf)
    return membersReader(Object.values(inner.getFields()), node.fields, emptyObject)
  if (node.kind === Kind.LIST && isListType(inner)) return listReader(inner.ofType, node.values)
  return null
}

function variableReader(name: string, isRequired: boolean): ValueReader {
  return (variables) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (value === undefined) return missing
    return value === null && isRequired ? unreadable : value
  }
}

function listReader(type: GraphQLInputType, nodes: readonly ValueNode[]): ValueReader | null {
  const readers = nodes.map((node) => valueReader(type, node))
  if (!readers.every((reader) => reader !== null)) return null
  return (variables) => {
    const values = readers.map((read) => read(variables))
    return values.some((value) => value === unreadable || value === missing) ? unreadable : values
  }
}

function hasVariables(node: ValueNode): boolean {
  switch (node.kind) {
    case Kind.VARIABLE:
      return true
    case Kind.LIST:
      return node.values.some(hasVariables)
    case Kind.OBJECT:
      return node.fields.some(({ value }) => hasVariables(value))
    default:
      return false
  }
}
