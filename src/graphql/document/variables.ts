import type { GraphQLError } from 'graphql'
import { refuse } from '../error.ts'
import type { Limits } from './limits.ts'

/**
 * Counts the values of variables, those in lists and objects each: before they are read, which goes down as deep as
 * they do.
 * @returns what is too much, or `null`
 */
export function measureVariables(given: object, { values, nesting }: Limits): GraphQLError | null {
  let level: object[] = [given]
  let left = values
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > nesting) return refuse('cost', `Variables may be nested ${nesting} levels deep at most.`)
    const members = membersOf(level, left)
    if (members === null) return refuse('cost', `Variables may have ${values} values at most.`)
    left -= members.length
    level = members.filter((member) => typeof member === 'object' && member !== null)
  }
  return null
}

/** @returns `null` when there are more of them */
function membersOf(values: readonly object[], most: number): unknown[] | null {
  const members: unknown[] = []
  for (const value of values) {
    const own: unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (members.length + own.length > most) return null
    for (const member of own) members.push(member)
  }
  return members
}
