/**
 * Makes and reads the cursors of lists. A cursor is a position in an order of rows. It does not name the tenant: the
 * request decides whose rows follow.
 */
import { hash } from 'node:crypto'
import { isDay, isTimestamp } from '../database/date.ts'
import { LruMap } from '../database/lru-map.ts'
import { type KeysetPosition, orderShape, type SortKey } from '../database/read/order.ts'
import type { FieldKind, ReadModel, Value } from '../database/read/read-model.ts'
import { isUuid } from './id.ts'

export function encodeRowCursor(
  model: ReadModel,
  order: readonly SortKey[],
  position: KeysetPosition,
): string {
  if (isByKey(model, order)) return Buffer.from(String(position[0])).toString('base64url')
  return Buffer.from(JSON.stringify([digest(model, order), ...position])).toString('base64url')
}

/** @returns `null` for an invalid cursor, or one of another list or order */
export function decodeRowCursor(
  model: ReadModel,
  order: readonly SortKey[],
  cursor: string,
): KeysetPosition | null {
  if (isByKey(model, order)) {
    const id = Buffer.from(cursor, 'base64url').toString()
    return isUuid(id) ? [id] : null
  }
  const [orderDigest, ...position] = parse(cursor)
  const isPosition =
    orderDigest === digest(model, order) &&
    position.length === order.length &&
    order.every(({ field }, index) => position[index] === null || isOf(field.kind, position[index]))
  return isPosition ? (position as KeysetPosition) : null // checked, each by the kind of its key
}

/** Whether the order is that of the ids: the cursor is then the id of the last row. */
function isByKey({ isKeyedByTime, key: [key] }: ReadModel, [first, ...others]: readonly SortKey[]): boolean {
  return isKeyedByTime === true && others.length === 0 && first?.field === key
}

/**
 * @returns a digest of the model and the order. The next page may have another size or selection, but not another
 *   order.
 */
function digest(model: ReadModel, order: readonly SortKey[]): string {
  const text = `${model.name}|${orderShape(order)}`
  let known = digests.peek(text)
  if (known === undefined) {
    known = hash('sha256', text, 'base64url').slice(0, 8)
    digests.set(text, known)
  }
  return known
}

const maxDigests = 1000
const digests = new LruMap<string, string>(maxDigests)

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return [] // not a cursor
  }
}

function isOf(kind: FieldKind, value: unknown): value is Value {
  switch (kind) {
    case 'decimal':
      return Number.isFinite(value)
    case 'integer':
      return Number.isSafeInteger(value)
    case 'boolean':
      return typeof value === 'boolean' || value === 0 || value === 1
    case 'uuid':
      return typeof value === 'string' && isUuid(value)
    case 'timestamp':
      return typeof value === 'string' && isTimestamp(value)
    case 'date':
      return typeof value === 'string' && isDay(value)
    case 'text':
    case 'enum':
      return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
    case 'json':
      return false
  }
}
