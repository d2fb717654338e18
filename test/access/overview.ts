/** What looks into the rows of all entities at once: the search, and the figures of the home page. */
import type { ReadWay, Reply } from './lists.ts'
import { publicReads, type Row, readsMember, visibleRows, type World } from './oracle.ts'
import type { Caller } from './scene.ts'

export const searched: Readonly<Record<string, readonly string[]>> = {
  team: ['name'],
  client: ['name', 'secret'],
  ticket: ['title', 'note'],
  comment: ['body'],
  notice: ['title', 'remark'],
}
const limit = 20
const maxTotal = 100

/** Tried by every caller in every state. */
export const overviewWays: readonly ReadWay[] = [
  ...Object.keys(searched).map(
    (entity): ReadWay => ({
      name: `GET /api/search for ${entity}`,
      entity,
      isForAll: true,
      ask: (pick, world) => {
        const members = searched[entity] ?? []
        const texts = (world[entity] ?? []).flatMap((row) => members.map((member) => row[member]))
        const words = texts.flatMap((text) => String(text ?? '').split(' ')).filter((word) => word !== '')
        const q = pick(words.length === 0 ? ['oak'] : words)
        return {
          method: 'GET',
          path: `/api/search?${new URLSearchParams({ q, limit: `${limit}` })}`,
          part: 'found',
        }
      },
    }),
  ),
  {
    name: 'GET /api/home',
    entity: 'team',
    isForAll: true,
    ask: () => ({ method: 'GET', path: '/api/home', part: 'entities' }),
  },
]

interface Found {
  entity: string
  total: number
  hits: { id: string; member: string }[]
}

interface Counted {
  entity: string
  count: number
  figure: string | null
}

/** @returns `null` for a request that looks into one entity alone */
export function overviewFaults(
  caller: Caller,
  { path, own, world }: { path: string; own: readonly Reply[]; world: World },
): string[] | null {
  const { pathname, searchParams } = new URL(path, 'http://service')
  if (pathname !== '/api/search' && pathname !== '/api/home') return null
  const [{ status, text } = { status: 0, text: '' }] = own
  const expected = caller.isAnonymous ? 401 : 200
  if (status !== expected) return [`${status} but for ${expected}`]
  if (status !== 200) return []
  const listed = Object.keys(world).filter(
    (entity) => publicReads.has(entity) || caller.permissions.has(`${entity}:read`),
  )
  return pathname === '/api/home'
    ? countFaults(JSON.parse(text) as Counted[], caller, { listed, world })
    : searchFaults(JSON.parse(text) as Found[], caller, { listed, world, word: searchParams.get('q') ?? '' })
}

interface Reach {
  listed: readonly string[]
  world: World
}

function countFaults(entities: readonly Counted[], caller: Caller, { listed, world }: Reach): string[] {
  const shown = entities
    .filter(({ entity }) => entity in world)
    .map(({ entity, count, figure }) => `${entity} ${count} ${figure}`)
  const reached = listed.map((entity) => {
    const rows = visibleRows(caller, entity, world)
    return `${entity} ${rows.length} ${entity === 'ticket' ? ranksOf(caller, rows) : null}`
  })
  return `${shown.toSorted()}` === `${reached.toSorted()}` ? [] : [`${shown} but for ${reached}`]
}

/** As the definition of tickets says: the sum of the ranks of open ones. */
function ranksOf(caller: Caller, rows: readonly Row[]): string | null {
  if (!readsMember(caller, 'ticket', 'rank')) return null
  const open = rows.filter((row) => row['state'] === 'open')
  return String(open.reduce((sum, row) => sum + Number(row['rank']), 0))
}

function searchFaults(
  found: readonly Found[],
  caller: Caller,
  { listed, world, word }: Reach & { word: string },
): string[] {
  const hidden = found.flatMap(({ entity, hits }) =>
    hits
      .filter(({ member }) => !readsMember(caller, entity, member))
      .map(({ member }) => `${entity}.${member}`),
  )
  const shown = found
    .filter(({ hits }) => hits.length > 0)
    .map(({ entity, total, hits }) => `${entity} ${total} ${hits.map(({ id }) => id).toSorted()}`)
  const reached = listed.flatMap((entity) => {
    const rows = visibleRows(caller, entity, world).filter((row) => isFound(caller, entity, row, word))
    if (rows.length === 0) return []
    if (rows.length > limit) return [`${entity} ${Math.min(rows.length, maxTotal)} of too many`]
    return [`${entity} ${rows.length} ${rows.map(({ id }) => id).toSorted()}`]
  })
  const isSame = `${shown.toSorted()}` === `${reached.toSorted()}`
  return [...hidden.map((each) => `shows ${each}`), ...(isSame ? [] : [`${shown} but for ${reached}`])]
}

/** Whether a word occurs in what the caller reads of the row. */
export function isFound(caller: Caller, entity: string, row: Row, word: string): boolean {
  const members = (searched[entity] ?? []).filter((member) => readsMember(caller, entity, member))
  return members.some((member) => String(row[member] ?? '').includes(word))
}
