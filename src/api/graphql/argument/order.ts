/**
 * Converts the argument `order` to sort keys in the order of the document. Values of input objects have the order of
 * their type, which would sort `{price: DESC, name: ASC}` by name first.
 */
import { type FieldNode, Kind, type ValueNode, type VariableDefinitionNode } from 'graphql'
import { type SortKey, totalOrder } from '../../../database/read/order.ts'
import type { ReadModel, Relation } from '../../../database/read/read-model.ts'
import type { Variables } from '../document/variables.ts'

/** @param written the variables as the client sent them, with the defaults as written in the document */
export function orderOf(entity: ReadModel, node: FieldNode | undefined, written: Variables): SortKey[] {
  const value = writtenOrder(node, written)
  const keys: SortKey[] = []
  if (!Array.isArray(value)) addKeys(keys, entity, value, [])
  else for (const each of value) addKeys(keys, entity, each, [])
  return totalOrder(entity, keys)
}

/** @returns the argument `order` with the members of objects as the client wrote them; `null` if absent */
export function writtenOrder(node: FieldNode | undefined, written: Variables): unknown {
  const argument = node?.arguments?.find(({ name }) => name.value === 'order')
  return argument === undefined ? null : asWritten(argument.value, written)
}

/** @returns the defaults of variables as the document writes them; `null` if there are none */
export function writtenDefaults(definitions: readonly VariableDefinitionNode[]): Variables | null {
  const defaults = definitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, asWritten(defaultValue, {})] as const],
  )
  return defaults.length === 0 ? null : Object.fromEntries(defaults)
}

function addKeys(keys: SortKey[], entity: ReadModel, value: unknown, path: readonly Relation[]): void {
  const directions = (value ?? {}) as Readonly<Record<string, unknown>> // the schema admits input objects only
  for (const name of Object.keys(directions)) {
    const direction = directions[name]
    if (direction === null || direction === undefined) continue
    const relation = entity.relations.get(name)
    const field = entity.fields.get(name)
    if (relation !== undefined) addKeys(keys, relation.entity, direction, [...path, relation])
    else if (field !== undefined) keys.push({ path, field, descending: direction === 'DESC' })
  }
}

/** Converts a literal to the value that an equal variable has in JSON. Numbers stay text: no member of an order is one. */
function asWritten(node: ValueNode, written: Variables): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return written[node.name.value]
    case Kind.LIST:
      return node.values.map((value) => asWritten(value, written))
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, asWritten(value, written)]))
    case Kind.NULL:
      return null
    default:
      return node.value
  }
}
