/** Values of versions are validated like requests before they are restored. */

import { type TSchema, Type } from 'typebox'
import { defined } from '../../core/defined.ts'
import { inputReader } from '../../core/schema/input.ts'
import { type Child, inputMembers, type Shape } from '../definition.ts'
import type { Values } from '../row.ts'

const readers = new WeakMap<Shape, (value: unknown) => unknown>()

/**
 * The definition may have changed since the version was stored, and an imported archive may contain anything.
 * @throws ServiceError `invalid` for a value that the definition does not allow
 */
export function requireAllowed(shape: Shape, values: Values): void {
  let read = readers.get(shape)
  if (read === undefined) {
    read = inputReader(Type.Object(schemasOf(shape)))
    readers.set(shape, read)
  }
  read(values)
}

function schemasOf({ members, children }: Shape): Record<string, TSchema> {
  const own = members.map(({ name, schema }) => [name, Type.Optional(schema)] as const)
  const lists = children.map((child) => {
    const { minItems, maxItems } = child.spec.schema as { minItems?: number; maxItems?: number } // of an array
    const list = Type.Array(itemOf(child), defined({ minItems, maxItems }))
    return [child.name, Type.Optional(list)] as const
  })
  return Object.fromEntries([...own, ...lists])
}

/**
 * The schema of a row of a list in a version. It may have all members, also those that callers cannot give; a member that
 * the row lacks gets its default. A row of a list has no lists (`[]`).
 */
function itemOf({ members }: Child): TSchema {
  const given = inputMembers(members, [])
  const others = members.filter(({ name }) => !(name in given))
  return Type.Object({
    ...given,
    ...Object.fromEntries(others.map(({ name, schema }) => [name, Type.Optional(schema)])),
  })
}
