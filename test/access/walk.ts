/** Compares what each caller gets with what the oracle says, by every way that reads. */
import { isDeepStrictEqual } from 'node:util'
import { namesHidden, type ReadRequest, type ReadWay, type Reply, replies } from './lists.ts'
import { fieldRules, type Row, readsMember, refusedAtDoor, visibleRows, type World } from './oracle.ts'
import { isFound, overviewFaults } from './overview.ts'
import type { Pick } from './pick.ts'
import type { Caller } from './scene.ts'

export interface Tally {
  answers: number
  tried: Set<string>
  faults: string[]
}

export function newTally(): Tally {
  return { answers: 0, tried: new Set(), faults: [] }
}

export async function tryRead(
  way: ReadWay,
  caller: Caller,
  { pick, world, tally }: { pick: Pick; world: World; tally: Tally },
): Promise<void> {
  const request = way.ask(pick, world)
  const own = await replies(caller.client, request)
  tally.tried.add(way.name)
  tally.answers += own.length
  const report = (what: string) =>
    tally.faults.push(
      `${way.name} by ${caller.name}: ${what}\n  ${request.method} ${decodeURIComponent(request.path)} ${JSON.stringify(request.body ?? '')}`,
    )
  if (caller.twin !== null) {
    const others = await replies(caller.twin.client, request)
    if (!isDeepStrictEqual(own, others)) report(`${textOf(own)}\n  but for the twin's\n  ${textOf(others)}`)
  }
  for (const fault of faultsOf(way, caller, request, { own, world })) report(fault)
}

function textOf(all: readonly Reply[]): string {
  return all.map(({ status, text, headers }) => `${status} ${text} ${JSON.stringify(headers)}`).join('\n  ')
}

/** What the oracle says without a second tenant: statuses, and the rows of plain lists. */
function faultsOf(
  { entity }: ReadWay,
  caller: Caller,
  request: ReadRequest,
  { own, world }: { own: readonly Reply[]; world: World },
): string[] {
  if (request.method === 'POST') return documentFaults(caller, request, own)
  const overAll = overviewFaults(caller, { path: request.path, own, world })
  if (overAll !== null) return overAll
  const statuses = new Set(own.map(({ status }) => status))
  const expected = statusOf(entity, caller, request, world)
  if (!statuses.has(expected) || statuses.size !== 1) return [`${[...statuses]} but for ${expected}`]
  if (request.method === 'HEAD' || expected !== 200) return []
  const { pathname, searchParams } = new URL(request.path, 'http://service')
  const found = own.flatMap(({ text }) => JSON.parse(text) as Row | Row[])
  const shown = found.flatMap((row) => hiddenIn(caller, entity, row))
  if (shown.length > 0) return [`shows ${shown}`]
  const words = searchParams.get('search')
  const isWhole = [...searchParams.keys()].every((name) => ['limit', 'search', 'count'].includes(name))
  if (!isWhole || pathname.split('/').length !== 3 || searchParams.has('count') !== (words !== null))
    return []
  const reached = visibleRows(caller, entity, world)
    .filter((row) => words === null || isFound(caller, entity, row, words))
    .map(({ id }) => id)
  const ids = found.map(({ id }) => id)
  return isDeepStrictEqual(ids, reached) ? [] : [`${ids} but for ${reached}`]
}

const everyRead = [
  'team',
  'membership',
  'client',
  'ticket',
  'comment',
  'reaction',
  'report',
  'parcel',
  'notice',
]

/** A document that names a hidden member is refused. The members that rules hide have names that no other member has. */
function documentFaults(caller: Caller, { body }: ReadRequest, own: readonly Reply[]): string[] {
  const [reply] = own
  if (reply?.status !== 200) return [`${reply?.status}`]
  const { query } = body as { query: string }
  const { errors = [] } = JSON.parse(reply.text) as { errors?: { extensions: { code: string } }[] }
  const codes = errors.map(({ extensions }) => extensions.code)
  const names: readonly string[] = query.replaceAll(/"[^"]*"/g, '').match(/[A-Za-z]+/g) ?? []
  if (hiddenNames(caller).some((name) => names.includes(name)))
    return codes.some((code) => code.startsWith('AUTH_')) ? [] : [`is not refused: ${reply.text}`]
  const readsAll = everyRead.every((entity) => caller.permissions.has(`${entity}:read`))
  return readsAll && codes.length > 0 ? [`is refused: ${reply.text}`] : []
}

function hiddenNames(caller: Caller): string[] {
  const names = Object.entries(fieldRules).flatMap(([entity, rules]) =>
    Object.keys(rules).filter((member) => !readsMember(caller, entity, member)),
  )
  return caller.permissions.has('ticket:internal') ? names : [...names, 'price']
}

function hiddenIn(caller: Caller, entity: string, row: Row): string[] {
  const lines = (row['lines'] ?? []) as object[]
  const isPriced = lines.some((line) => 'price' in line) && !caller.permissions.has('ticket:internal')
  const members = Object.keys(row).filter((member) => !readsMember(caller, entity, member))
  return isPriced ? [...members, 'lines.price'] : members
}

function statusOf(entity: string, caller: Caller, request: ReadRequest, world: World): number {
  const door = refusedAtDoor(caller, entity, 'read')
  if (door !== null) return door
  const [, , , id] = request.path.split(/[/?]/).filter((_, index) => !request.path.includes('?') || index < 3)
  if (id !== undefined) {
    if (!visibleRows(caller, entity, world).some((row) => row.id === id)) return 404
    return request.headers?.['if-none-match'] === '*' ? 304 : 200
  }
  return namesHidden(caller, request) ? 403 : 200
}
