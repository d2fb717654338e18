/** Compares what each caller gets with what the oracle says, by every way that reads. */
import { isDeepStrictEqual } from 'node:util'
import { namesHidden, type ReadRequest, type ReadWay, type Reply, replies, replyOf } from './lists.ts'
import { refusedAtDoor, visibleRows, type World } from './oracle.ts'
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

const unknownId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

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
  if (request.method === 'POST') return own[0]?.status === 200 ? [] : [`${own[0]?.status}`]
  const statuses = new Set(own.map(({ status }) => status))
  const expected = statusOf(entity, caller, request, world)
  if (!statuses.has(expected) || statuses.size !== 1) return [`${[...statuses]} but for ${expected}`]
  if (request.method === 'HEAD' || expected !== 200) return []
  const { pathname, searchParams } = new URL(request.path, 'http://service')
  const isWhole =
    [...searchParams.keys()].every((name) => name === 'limit') && pathname.split('/').length === 3
  if (!isWhole) return []
  const ids = own.flatMap(({ text }) => (JSON.parse(text) as { id: string }[]).map(({ id }) => id))
  const reached = visibleRows(caller, entity, world).map(({ id }) => id)
  return isDeepStrictEqual(ids, reached) ? [] : [`${ids} but for ${reached}`]
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

const verbs = [
  ['GET', undefined],
  ['HEAD', undefined],
  ['PUT', {}],
  ['PATCH', {}],
  ['PATCH', { title: 5, name: 5, label: 5 }],
  ['DELETE', undefined],
] as const

/** A row out of reach is one that does not exist, whatever is asked of it: with conditions, and with bodies of no sense. */
export async function tryInvisible(
  { entity, path, actions }: { entity: string; path: string; actions: readonly string[] },
  caller: Caller,
  { pick, world, tally }: { pick: Pick; world: World; tally: Tally },
): Promise<void> {
  const visible = new Set(visibleRows(caller, entity, world).map(({ id }) => id))
  const hidden = (world[entity] ?? []).filter(({ id }) => !visible.has(id))
  if (hidden.length === 0) return
  const { id } = pick(hidden)
  const conditions: Record<string, string>[] = [
    {},
    { 'if-match': '*' },
    { 'if-match': '"v1"' },
    { 'if-none-match': '*' },
  ]
  const acts = actions.map((action) => ['POST', undefined, `/${action}`] as const)
  for (const [method, body, end = ''] of [...verbs, ...acts]) {
    for (const headers of method === 'PATCH' ? conditions : [pick(conditions)]) {
      const [one, none] = await Promise.all(
        [id, unknownId].map((each) => caller.client.send(method, `${path}/${each}${end}`, body, headers)),
      )
      if (one === undefined || none === undefined) continue
      tally.answers += 2
      if (!isDeepStrictEqual(replyOf(one), replyOf(none)) || one.status < 400)
        tally.faults.push(
          `${method} ${path}/${id}${end} by ${caller.name} ${JSON.stringify(headers)}: ${one.status} ${one.text} but for nobody's ${none.status} ${none.text}`,
        )
    }
  }
}
