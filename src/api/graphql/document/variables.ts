/** The variables of a GraphQL request, and the limits on their values. */
import type { GraphQLError } from 'graphql'
import { refuse } from '../error.ts'
import type { Limits } from './limits.ts'

/** Values by the names of variables, or of arguments. */
export type Variables = Record<string, unknown>

export interface GivenVariables {
  /** The variables, coerced to the types of the schema. */
  variables: Variables
  /** The variables as the client sent them. */
  written: Variables
}

/**
 * Counts the values of variables, including those in lists and objects, before they are read recursively.
 * @returns the exceeded limit, or `null`
 */
export function measureVariables(given: Variables, { values, nesting }: Limits): GraphQLError | null {
  const left = valuesLeft(given, values, nesting)
  if (left === tooDeep) return refuse('cost', `Variables may be nested at most ${nesting} levels deep.`)
  return left < 0 ? refuse('cost', `Variables may have at most ${values} values.`) : null
}

const tooDeep = Number.NEGATIVE_INFINITY

/** @returns how many more values are allowed; negative as soon as there are too many */
function valuesLeft(value: object, max: number, maxDepth: number): number {
  if (maxDepth < 0) return tooDeep
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value)
  let left = max - members.length
  for (const member of members) {
    if (left < 0) break
    if (typeof member === 'object' && member !== null) left = valuesLeft(member, left, maxDepth - 1)
  }
  return left
}
