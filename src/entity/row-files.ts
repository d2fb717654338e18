/** The files of rows: what a change does to them, and what callers see of them. */
import type { ReadJsonPage } from '../api/http/reply/json-list.ts'
import type { Context } from '../core/context.ts'
import { Reply, type Route } from '../core/feature/route.ts'
import { attachFile, type FileUse, releaseFile } from '../files/attach.ts'
import { describeFiles } from '../files/file.ts'
import type { Member, Shape } from './definition.ts'
import { ofFiles } from './file.ts'
import type { States } from './record.ts'
import type { Values } from './row.ts'

type Members = readonly Member[]
type FileShape = Pick<Shape, 'members' | 'children'>

export function hasFiles({ members, children }: FileShape): boolean {
  return [members, ...children.map((child) => child.members)].some((each) => ofFiles(each).length > 0)
}

export function withoutFiles(members: Members): Members {
  return members.filter(({ spec }) => spec.file === undefined)
}

/**
 * Called in the transaction of a change. @throws ServiceError `invalid` for an unknown file, or one that does not fit
 * its field
 */
export async function changeFiles(
  inside: Context,
  shape: FileShape,
  { before, after }: States,
): Promise<void> {
  const wanted = usesOf(shape, after)
  const former = usesOf(shape, before)
  // A row of a list that changes its place keeps its files.
  const nameOf = ({ member, id }: FileUse) => `${member.replace(/\.\d+\./, '.')} ${id}`
  const known = new Set(former.map(nameOf))
  // Files are locked in the order of their ids, so that two changes cannot deadlock.
  const added = wanted.filter((use) => !known.has(nameOf(use))).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const use of added) await attachFile(inside, use)
  const kept = new Set(wanted.map(({ id }) => id))
  const released = new Set(former.map(({ id }) => id).filter((id) => !kept.has(id)))
  for (const id of [...released].toSorted()) await releaseFile(inside, id)
}

export function filesNamedBy(shape: FileShape, row: Values): string[] {
  return usesOf(shape, row).map(({ id }) => id)
}

function usesOf({ members, children }: FileShape, row: Values | null): FileUse[] {
  if (row === null) return []
  const ofRows = children.flatMap((child) =>
    rowsOf(row, child.name).flatMap((each, place) => usesIn(child.members, each, `${child.name}.${place}.`)),
  )
  return [...usesIn(members, row, ''), ...ofRows]
}

function usesIn(members: Members, row: Values, path: string): FileUse[] {
  return ofFiles(members).flatMap(({ name, spec }) => {
    const id = row[name]
    if (typeof id !== 'string' || spec.file === undefined) return []
    return [{ member: `${path}${name}`, id, rules: spec.file }]
  })
}

function rowsOf(row: Values, list: string): Values[] {
  const rows = row[list]
  return Array.isArray(rows) ? rows : []
}

/** @returns the route, whose replies then describe the files that their rows name */
export function showingFiles(original: Route, shape: FileShape): Route {
  return {
    ...original,
    handle: async (context, input) => {
      const outcome = await original.handle(context, input)
      if (!(outcome instanceof Reply) || !isRow(outcome.body)) return outcome
      const [row] = await rowsWithFiles(context, shape, [outcome.body])
      return new Reply(row, outcome.headers, outcome.status)
    },
  }
}

/** JSON from the database is no row here: its files are added page by page. */
function isRow(body: unknown): body is Values {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
}

/** @returns a reader of the same pages, whose rows have their files */
export function pagesWithFiles(context: Context, shape: FileShape, read: ReadJsonPage): ReadJsonPage {
  if (!hasFiles(shape)) return read
  return async (range) => {
    const page = await read(range)
    if (page === null || page.json === null) return page
    const rows: Values[] = JSON.parse(`[${page.json}]`)
    const shown = await rowsWithFiles(context, shape, rows)
    return { ...page, json: JSON.stringify(shown).slice(1, -1) }
  }
}

export async function rowsWithFiles(
  context: Context,
  shape: FileShape,
  rows: readonly Values[],
): Promise<Values[]> {
  const ids = rows.flatMap((row) => usesOf(shape, row).map(({ id }) => id))
  const files = await describeFiles(context, ids)
  const shown = (members: Members, row: Values): Values => {
    const entries = Object.entries(row).flatMap(([name, value]) => {
      const member = ofFiles(members).find((each) => each.name === name)
      const own = [name, value] as const
      return member === undefined ? [own] : [own, [member.field, files.get(String(value)) ?? null] as const]
    })
    return Object.fromEntries(entries)
  }
  return rows.map((row) => {
    const lists = shape.children
      .filter(({ name }) => name in row)
      .map(({ name, members }) => [name, rowsOf(row, name).map((each) => shown(members, each))] as const)
    return { ...shown(shape.members, row), ...Object.fromEntries(lists) }
  })
}
