/** Every way to ask a list over REST: each parameter that the documents name, each sort, each member. */
import type { Answer, Client } from '../support/client.ts'
import { type OracleCaller, readsMember, type World } from './oracle.ts'
import type { Pick } from './pick.ts'

/** A request that reads, and how often it was made. */
export interface ReadWay {
  name: string
  entity: string
  /** Whether every caller tries it in every state; the others take turns. */
  isForAll?: true
  ask(pick: Pick, world: World): ReadRequest
}

export interface ReadRequest {
  method: 'GET' | 'HEAD' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: unknown
  /** Members that the request names: it is refused if one is hidden from the caller. */
  members?: readonly { entity: string; member: string }[]
  /** Follows the links to the last page. */
  follows?: boolean
  /** The member of the reply that concerns rows: the others differ for callers who reach the same rows. */
  part?: string
}

interface Listed {
  entity: string
  path: string
  parameters: readonly string[]
  members: readonly string[]
}

const common = new Set(['limit', 'cursor', 'sort', 'fields', 'count', 'search', 'tenant'])

export const sortsOfRelated: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  membership: [['team.name', 'team']],
  client: [
    ['favourite.title', 'ticket'],
    ['favourite.note', 'ticket'],
  ],
  ticket: [
    ['client.name', 'client'],
    ['client.secret', 'client'],
    ['team.name', 'team'],
  ],
  comment: [
    ['ticket.title', 'ticket'],
    ['ticket.rank', 'ticket'],
    ['ticket.clientId', 'ticket'],
  ],
  reaction: [
    ['comment.body', 'comment'],
    ['comment.aside', 'comment'],
  ],
  notice: [['team.name', 'team']],
}

export function listWays({ entity, path, parameters, members }: Listed): ReadWay[] {
  const way = (name: string, ask: ReadWay['ask']): ReadWay => ({
    name: `GET ${path} ${name}`,
    entity,
    ask,
    ...(/^plain|^search|^sort=\w+\.\w+$/.test(name) && { isForAll: true as const }),
  })
  const get = (query: Record<string, string>, named: readonly string[] = []): ReadRequest => ({
    method: 'GET',
    path: `${path}${Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`}`,
    members: named.map((member) => ({ entity, member })),
  })
  const filters = parameters.filter((name) => !common.has(name))
  // Lists of rows are not sorted by.
  const sorted = members.filter((member) => member !== 'lines')
  return [
    way('plain', () => get({})),
    way('pages', (pick) => ({ ...get({ limit: pick(['1', '2', '3']) }), follows: true })),
    way('sorted pages', (pick) => {
      const member = pick(sorted)
      return {
        ...get({ limit: pick(['1', '3']), sort: `${pick(['', '-'])}${member}` }, [member]),
        follows: true,
      }
    }),
    way('filtered pages', (pick, world) => {
      const name = pick(filters)
      const query = { limit: '2', count: 'true', [name]: filterValue(pick, world, entity, name) }
      return { ...get(query, [memberOf(name)]), follows: true }
    }),
    way('count', () => get({ count: 'true', limit: '1' })),
    ...filters.map((name) =>
      way(name, (pick, world) => {
        const extra: Record<string, string> = pick([{}, { count: 'true' }, { limit: '2' }])
        return get({ ...extra, [name]: filterValue(pick, world, entity, name) }, [memberOf(name)])
      }),
    ),
    ...sorted.map((member) =>
      way(`sort=${member}`, (pick) => get({ sort: `${pick(['', '-'])}${member}` }, [member])),
    ),
    ...members.map((member) =>
      way(`fields=${member}`, (pick) => {
        const other = pick(members)
        return get({ fields: `${member},${other}` }, [member, other])
      }),
    ),
    ...(sortsOfRelated[entity] ?? []).map(([sort, target]) =>
      way(`sort=${sort}`, (pick) => {
        const [, member = ''] = sort.split('.')
        return {
          ...get({ sort: `${pick(['', '-'])}${sort}`, limit: pick(['2', '50']) }),
          members: [{ entity: target, member }],
          follows: true,
        }
      }),
    ),
    ...(parameters.includes('search')
      ? [
          way('search', (pick, world) => {
            const texts = (world[entity] ?? []).flatMap((row) => Object.values(row)).filter(isWord)
            return get({ search: pick(pick(texts.length === 0 ? ['oak'] : texts).split(' ')), count: 'true' })
          }),
        ]
      : []),
  ]
}

/** The routes of one row, for rows of every kind and for none. */
export function rowWays({ entity, path }: { entity: string; path: string }): ReadWay[] {
  const one = (pick: Pick, world: World) => `${path}/${pick((world[entity] ?? []).map(({ id }) => id))}`
  return [
    // Most rows are out of reach of most callers.
    ...['', ' of another row', ' of a third row'].map(
      (which): ReadWay => ({
        name: `GET ${path}/:id${which}`,
        entity,
        isForAll: true,
        ask: (pick, world) => ({ method: 'GET', path: one(pick, world) }),
      }),
    ),
    { name: `HEAD ${path}/:id`, entity, ask: (pick, world) => ({ method: 'HEAD', path: one(pick, world) }) },
    { name: `HEAD ${path}`, entity, ask: () => ({ method: 'HEAD', path }) },
    {
      name: `GET ${path}/:id If-None-Match`,
      entity,
      ask: (pick, world) => ({
        method: 'GET',
        path: one(pick, world),
        headers: { 'if-none-match': pick(['*', '"v0"', 'W/"v0", "x"']) },
      }),
    },
  ]
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]+ [a-z0-9]+/.test(value)
}

function memberOf(parameter: string): string {
  return parameter.replace(/\[.*$/, '')
}

/** Of a row that the caller may reach or not. */
function filterValue(pick: Pick, world: World, entity: string, parameter: string): string {
  const [, member = '', operator = 'eq'] = /^(\w+)(?:\[(\w+)\])?$/.exec(parameter) ?? []
  const values = (world[entity] ?? []).map((row) => row[member] ?? null).filter((each) => each !== null)
  const value = () => String(values.length === 0 ? noneOf(member) : pick(values))
  if (operator === 'isNull') return pick(['true', 'false'])
  if (operator === 'in' || operator === 'nin') return `${value()},${value()}`
  if (/contains$/i.test(operator)) return value().slice(pick([0, 1, 2]), pick([3, 5, 40]))
  if (/startswith$/i.test(operator)) return value().slice(0, pick([1, 3, 40]))
  if (/endswith$/i.test(operator)) return value().slice(-pick([1, 3, 40]))
  return value()
}

/** A value that no row has: an id where a filter takes ids alone. */
function noneOf(member: string): string {
  return member.endsWith('Id') || member === 'id' ? '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11' : 'none'
}

/** @returns the replies, one for each page */
export async function replies(client: Client, request: ReadRequest): Promise<Reply[]> {
  const found: Reply[] = []
  let path: string | null = request.path
  for (let page = 0; path !== null && page < 50; page++) {
    const answer = await client.send(request.method, path, request.body, request.headers)
    found.push(request.part === undefined ? replyOf(answer) : partOf(answer, request.part))
    path = request.follows === true ? nextOf(answer) : null
  }
  return found
}

export interface Reply {
  status: number
  text: string
  headers: (string | null)[]
}

const compared = [
  'x-total-count',
  'link',
  'etag',
  'last-modified',
  'content-type',
  'content-length',
  'cache-control',
  'vary',
]

export function replyOf({ status, text, headers }: Answer): Reply {
  return { status, text, headers: compared.map((name) => headers.get(name)) }
}

function partOf({ status, body, text }: Answer, part: string): Reply {
  return { status, text: status === 200 ? JSON.stringify(body[part]) : text, headers: [] }
}

function nextOf({ headers }: Answer): string | null {
  const [, address = null] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  if (address === null) return null
  const { pathname, search } = new URL(address, 'http://service')
  return `${pathname}${search}`
}

/** Whether the request names something that the caller does not read. */
export function namesHidden(caller: OracleCaller, { members = [] }: ReadRequest): boolean {
  return members.some(({ entity, member }) => !readsMember(caller, entity, member))
}
