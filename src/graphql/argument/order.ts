/**
 * From the argument `order` to sort keys, in the order in which they were written: that of a type, which is all that
 * values of input objects keep, would sort `{price: DESC, name: ASC}` by the name first.
 */
import { type FieldNode, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql'
import type { Entity, Relation } from '../../database/read/entity.ts'
import { type SortKey, totalOrder } from '../../database/read/order.ts'
import type { Variables } from '../document/operation.ts'

/** @param written as `writtenVariables` gives them */
export function orderOf(entity: Entity, node: FieldNode | undefined, written: Variables): SortKey[] {
  const argument = node?.arguments?.find(({ name }) => name.value === 'order')
  const value = argument === undefined ? null : asWritten(argument.value, written)
  const keys = [value ?? []].flat().flatMap((each) => keysOf(entity, each, []))
  return totalOrder(entity, keys)
}

/** Variables as the client sent them, with the defaults of those that it left out as they are written. */
export function writtenVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Variables,
): Variables {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, asWritten(defaultValue, {})] as const],
  )
  return defaults.length === 0 ? given : { ...Object.fromEntries(defaults), ...given }
}

function keysOf(entity: Entity, value: unknown, path: readonly Relation[]): SortKey[] {
  return Object.entries(value ?? {}).flatMap(([name, direction]): SortKey[] => {
    if (direction === null || direction === undefined) return []
    const relation = entity.relations.get(name)
    if (relation !== undefined) return keysOf(relation.entity, direction, [...path, relation])
    const field = entity.fields.get(name)
    return field === undefined ? [] : [{ path, field, descending: direction === 'DESC' }]
  })
}

/** A literal as the JSON that a variable would be. */
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
