/**
 * Names of users in rows. Users are in the catalogue, and rows may be in another database: the database renders a mark with
 * the id, and the names of all marks of a reply are read together.
 */
import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Selection } from './selection.ts'

/** No value of a row has it: nobody outside of the process knows it. */
const mark = `user:${randomBytes(16).toString('hex')}:`
const marked = new RegExp(`"${mark}([0-9a-f-]{36})"`, 'gi')

/** @param column with the id of a user @returns the mark in place of the name */
export function markOf(column: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`${sql.lit(mark)} || cast(${column} as text)`
}

export function hasMarks(json: string | Buffer): boolean {
  return json.includes(mark)
}

/** @returns the ids of the users whose names are missing */
export function markedUsers(json: string): Set<string> {
  return new Set([...json.matchAll(marked)].map(([, id = '']) => id.toLowerCase()))
}

/** @param names by id; a user who is not there has none */
export function withNames(json: string, names: ReadonlyMap<string, string>): string {
  return json.replaceAll(marked, (_mark, id: string) => JSON.stringify(names.get(id.toLowerCase()) ?? null))
}

export function selectsNames(selection: Selection): boolean {
  return selection.some((selected) => {
    if (selected.kind === 'field') return selected.field.isUserName === true
    return selected.kind === 'relation' && selectsNames(selected.selection)
  })
}
