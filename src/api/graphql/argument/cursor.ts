import { decodeRowCursor } from '../../../core/row-cursor.ts'
import type { KeysetPosition, SortKey } from '../../../database/read/order.ts'
import type { ReadModel } from '../../../database/read/read-model.ts'
import { refuse } from '../error.ts'

/** @throws GraphQLError for an invalid cursor, or one of another order */
export function decodeCursor(entity: ReadModel, order: readonly SortKey[], cursor: string): KeysetPosition {
  const position = decodeRowCursor(entity, order, cursor)
  if (position === null) throw refuse('cursor', 'The cursor does not belong to this list in this order.')
  return position
}
