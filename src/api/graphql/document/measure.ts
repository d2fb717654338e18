/**
 * Visits an operation without regard to `@skip`: counts its fields, and checks that fields of one name agree. The time
 * of the library's rule for the latter grows with the square of the fields.
 */
import { type FieldNode, print, type SelectionSetNode } from 'graphql'
import { refuse } from '../error.ts'
import { type CollectedField, type Collecting, collectFields, innerSets } from './collect.ts'
import { DocumentCounter } from './count.ts'
import type { Limits } from './limits.ts'
import type { ParsedDocument } from './parse.ts'

/** @throws GraphQLError for the first exceeded limit, or for conflicting fields */
export function measureOperations({ operations, fragments }: ParsedDocument, limits: Limits): void {
  const { count } = new DocumentCounter(limits)
  const collecting: Collecting = { fragments, includes: () => true, count }
  for (const { selectionSet } of operations) visit([selectionSet], 1, { collecting, limits })
}

interface Visit {
  collecting: Collecting
  limits: Limits
}

function visit(sets: readonly SelectionSetNode[], depth: number, { collecting, limits }: Visit): void {
  if (depth > limits.depth) throw refuse('cost', `An operation may be at most ${limits.depth} fields deep.`)
  for (const field of collectFields(sets, collecting)) {
    refuseConflict(field)
    const inner = innerSets(field)
    if (inner.length > 0) visit(inner, depth + 1, { collecting, limits })
  }
}

/** Occurrences of one result must be equal (section 5.3.2). All have one parent type, so no other rule applies. */
function refuseConflict({ as, nodes }: CollectedField): void {
  const [first, ...others] = nodes
  if (first === undefined || others.length === 0) return
  const selected = selectionOf(first)
  const other = others.find((node) => selectionOf(node) !== selected)
  if (other === undefined) return
  throw refuse(
    'validation',
    `Fields "${as}" conflict: they select different fields or arguments. Give one an alias.`,
    [first, other],
  )
}

function selectionOf({ name, arguments: args = [] }: FieldNode): string {
  if (args.length === 0) return name.value
  const texts = args.map((arg) => `${arg.name.value}:${print(arg.value)}`)
  return `${name.value}(${texts.sort().join()})`
}
