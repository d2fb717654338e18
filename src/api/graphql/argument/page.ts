/** Converts `first`, `after`, `last` and `before` to a slice (Relay's cursor connections). */

import type { KeysetPosition, SortKey } from '../../../database/read/order.ts'
import type { ReadModel } from '../../../database/read/read-model.ts'
import { refuse } from '../error.ts'
import { defaultPageSize, maxPageSize } from '../schema/connection.ts'
import { decodeCursor } from './cursor.ts'

export interface PageArguments {
  first?: number | null
  after?: string | null
  last?: number | null
  before?: string | null
}

export interface Slice {
  size: number
  /** Whether the slice has the last rows between the positions, not the first. */
  backward: boolean
  after: KeysetPosition | null
  before: KeysetPosition | null
}

/** @throws GraphQLError for an invalid size, both sizes at once, or the cursor of another list */
export function sliceOf(entity: ReadModel, order: readonly SortKey[], args: PageArguments): Slice {
  const { after, before } = args
  const positionOf = (cursor: string | null | undefined) =>
    cursor === null || cursor === undefined ? null : decodeCursor(entity, order, cursor)
  return {
    size: pageSize(args),
    backward: isBackward(args),
    after: positionOf(after),
    before: positionOf(before),
  }
}

/** @throws GraphQLError for an invalid size, or both sizes at once */
export function pageSize({ first = null, last = null }: PageArguments): number {
  if (first !== null && last !== null) throw refuse('pageSize', 'Use either first or last, not both.')
  const size = first ?? last ?? defaultPageSize
  const name = last === null ? 'first' : 'last'
  if (size < 0) throw refuse('pageSize', `${name} must not be negative.`)
  if (size > maxPageSize) throw refuse('pageSize', `${name} must be at most ${maxPageSize}.`)
  return size
}

function isBackward({ first = null, last = null, before = null, after = null }: PageArguments): boolean {
  return last !== null || (first === null && before !== null && after === null)
}
