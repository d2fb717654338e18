/** Cursors name a place in an order, and nothing of the tenant: whose rows are behind it is a matter of the request. */
import { hash } from 'node:crypto'
import { isUuid } from '../../../core/id.ts'
import type { Entity, FieldKind } from '../../../database/read/entity.ts'
import { type KeysetPosition, orderShape, type SortKey } from '../../../database/read/order.ts'
import type { Value } from '../../../database/read/value.ts'
import { refuse } from '../error.ts'

export function encodeCursor(entity: Entity, order: readonly SortKey[], place: KeysetPosition): string {
  return Buffer.from(JSON.stringify([digest(entity, order), ...place])).toString('base64url')
}

/** @throws GraphQLError for a cursor that is none, or is one of another order */
export function decodeCursor(entity: Entity, order: readonly SortKey[], cursor: string): KeysetPosition {
  const [mark, ...place] = parse(cursor)
  const isPlace =
    mark === digest(entity, order) &&
    place.length === order.length &&
    order.every(({ field }, index) => place[index] === null || isOf(field.kind, place[index]))
  if (!isPlace) throw refuse('cursor', 'The cursor is not one that this list in this order has given out.')
  return place as KeysetPosition // checked, each by the kind of its key
}

/** By the order alone, so that a page may be asked for with another size or selection. */
function digest(entity: Entity, order: readonly SortKey[]): string {
  const text = `${entity.name}|${orderShape(order)}`
  let known = digests.get(text)
  if (known === undefined) {
    known = hash('sha256', text, 'base64url').slice(0, 8)
    if (digests.size < mostDigests) digests.set(text, known)
  }
  return known
}

const digests = new Map<string, string>()
const mostDigests = 1000

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return [] // whatever it is, it is no cursor
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
