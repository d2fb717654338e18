/** A cursor encodes a position in an order. It does not name the tenant, whose rows the request determines. */
import { hash } from 'node:crypto'
import { isUuid } from '../../../core/id.ts'
import { LruMap } from '../../../database/lru-map.ts'
import type { Entity, FieldKind, Value } from '../../../database/read/entity.ts'
import { type KeysetPosition, orderShape, type SortKey } from '../../../database/read/order.ts'
import { refuse } from '../error.ts'

export function encodeCursor(entity: Entity, order: readonly SortKey[], position: KeysetPosition): string {
  return Buffer.from(JSON.stringify([digest(entity, order), ...position])).toString('base64url')
}

/** @throws GraphQLError for an invalid cursor, or one of another order */
export function decodeCursor(entity: Entity, order: readonly SortKey[], cursor: string): KeysetPosition {
  const [orderDigest, ...position] = parse(cursor)
  const isPosition =
    orderDigest === digest(entity, order) &&
    position.length === order.length &&
    order.every(({ field }, index) => position[index] === null || isOf(field.kind, position[index]))
  if (!isPosition) throw refuse('cursor', 'The cursor does not belong to this list in this order.')
  return position as KeysetPosition // checked, each by the kind of its key
}

/** Of the order alone, so that the next page may have another size or selection. */
function digest(entity: Entity, order: readonly SortKey[]): string {
  const text = `${entity.name}|${orderShape(order)}`
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
    case 'text':
    case 'enum':
      return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
  }
}

function isTimestamp(text: string): boolean {
  const moment = new Date(text)
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text
}
