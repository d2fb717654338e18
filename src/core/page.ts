/** Paging by key: a cursor names the last row of a page, so that no row is missed or returned twice. */
import { Type } from 'typebox'
import { beforeAllIds } from '../database/json-page.ts'
import { invalidField } from './errors.ts'
import { isUuid } from './id.ts'

export const maxPageSize = 200
export const defaultPageSize = 50

export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxPageSize,
      description: `The maximum number of rows of the page; ${defaultPageSize} if absent`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      examples: [encodeCursor('0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11')],
      description: 'From the `Link` header of the previous page',
    }),
  ),
}

export interface Page<T> {
  items: T[]
  /** The cursor of the next page; `null` at the end. */
  next: string | null
}

/** Reads one row more than the page has, to know whether another page follows. */
export async function readPage<T extends { id: string }>(
  limit: number,
  read: (rows: number) => Promise<T[]>,
): Promise<Page<T>> {
  const rows = await read(limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null }
}

export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/**
 * @param after the id of the last row of the page before; empty for the first page
 * @throws ServiceError `invalid` for what is no id: PostgreSQL cannot compare it with ids
 */
export function placeAfter(after: string): string {
  if (after === '') return beforeAllIds
  if (!isUuid(after)) throw invalidField('after', 'is no id')
  return after
}

/** @returns the id after which the page begins @throws ServiceError `invalid` for what `accepts` refuses */
export function decodeCursor(cursor: string, accepts: (id: string) => boolean): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!accepts(id)) throw invalidField('cursor', 'is not a cursor of this list')
  return id
}
