/** Paging by key: a cursor names the last row of a page, so that no row is missed or returned twice. */
import { Type } from 'typebox'
import { beforeAllIds } from '../database/json-page.ts'
import { invalidField } from './errors.ts'
import { isUuid } from './id.ts'
import { notKnown } from './names.ts'

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

/** Parameters of every list that can grow. */
export const ListParameters = {
  ...PageQuery,
  fields: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'The members to return, separated by commas; all if absent',
      examples: ['id'],
    }),
  ),
  count: Type.Optional(
    Type.String({
      enum: ['true', 'false'],
      description: '`true` returns the number of rows of all pages in `X-Total-Count`',
      examples: ['true'],
    }),
  ),
}

export interface PageRequest {
  /** Infinite for all rows. */
  limit: number
  cursor?: string
  /** Whether the caller wants `total`. */
  isCounted?: boolean
}

export interface Page<T> {
  items: T[]
  /** The cursor of the next page; `null` at the end. */
  next: string | null
  /** The number of rows of all pages. */
  total?: number
}

/** Reads one row more than the page has, to know whether another page follows. */
export async function readPage<T extends { id: string }>(
  limit: number,
  read: (rows: number) => Promise<T[]>,
  keyOf: (row: T) => string = ({ id }) => id,
): Promise<Page<T>> {
  return cut(await read(limit + 1), limit, keyOf)
}

/** The key by which a list in memory is sorted: a text that differs in each row. */
export interface ListKey<T> {
  of(row: T): string
  /** Whether the text may be a key: a cursor with another text is refused. */
  accepts(text: string): boolean
  isDescending?: boolean
}

/** @param rows all rows, in the order of their keys @throws ServiceError `invalid` for a cursor of another list */
export function pageOf<T>(
  rows: readonly T[],
  key: ListKey<T>,
  { limit, cursor }: PageRequest,
): Page<T> & { total: number } {
  const last = cursor === undefined ? null : decodeCursor(cursor, key.accepts)
  const isAfter = (text: string) => last === null || (key.isDescending ? text < last : text > last)
  const rest = rows.filter((row) => isAfter(key.of(row)))
  return { ...cut(rest, limit, key.of), total: rows.length }
}

function cut<T>(rows: readonly T[], limit: number, keyOf: (row: T) => string): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null }
}

/** @returns the names in the parameter `fields` @throws ServiceError `invalid` for a name that rows do not have */
export function chosenNames(fields: string, members: readonly string[]): ReadonlySet<string> {
  const names = new Set(fields.split(',').map((name) => name.trim()))
  for (const name of names)
    if (!members.includes(name))
      throw invalidField('fields', notKnown(name, 'not a member of a row', members), 'unknownName')
  return names
}

export function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/**
 * @param after the id of the last row of the page before; empty for the first page
 * @throws ServiceError `invalid` for a text that is not an id, because PostgreSQL cannot compare it with ids
 */
export function placeAfter(after: string): string {
  if (after === '') return beforeAllIds
  if (!isUuid(after)) throw invalidField('after', 'is no id', 'badCursor')
  return after
}

/** @returns the id after which the page begins @throws ServiceError `invalid` for a text that `accepts` refuses */
export function decodeCursor(cursor: string, accepts: (id: string) => boolean): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!accepts(id)) throw invalidField('cursor', 'is not a cursor of this list', 'badCursor')
  return id
}
