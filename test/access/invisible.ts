/** A row out of reach is one that does not exist, whatever is asked of it. */
import { isDeepStrictEqual } from 'node:util'
import { type Reply, replyOf } from './lists.ts'
import { visibleRows, type World } from './oracle.ts'
import type { Pick } from './pick.ts'
import type { Caller } from './scene.ts'
import type { Tally } from './walk.ts'

const unknownId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

const conditions: Record<string, string>[] = [
  {},
  { 'if-match': '*' },
  { 'if-match': '"v1"' },
  { 'if-none-match': '*' },
]

interface Called {
  method: string
  body?: object
  /** Of the address. */
  end?: string
}

const verbs: readonly Called[] = [
  ...['GET', 'HEAD', 'DELETE'].map((method) => ({ method })),
  ...['PUT', 'PATCH'].flatMap((method) =>
    [{}, { title: 5, name: 5, label: 5 }].map((body) => ({ method, body })),
  ),
]

interface Place {
  entity: string
  path: string
  actions: readonly string[]
}

/** With conditions, and with bodies of no sense. */
export async function tryInvisible(
  { entity, path, actions }: Place,
  caller: Caller,
  { pick, world, tally }: { pick: Pick; world: World; tally: Tally },
): Promise<void> {
  const reached = new Set(visibleRows(caller, entity, world).map((row) => row.id))
  const hidden = (world[entity] ?? []).map((row) => row.id).filter((each) => !reached.has(each))
  if (hidden.length === 0) return
  const id = pick(hidden)
  const acts = actions.map((action) => ({ method: 'POST', end: `/${action}` }))
  for (const called of [...verbs, ...acts]) {
    const headers = pick(conditions)
    const [one, none] = await Promise.all([
      replyTo(caller, `${path}/${id}`, called, headers),
      replyTo(caller, `${path}/${unknownId}`, called, headers),
    ])
    tally.answers += 2
    if (isDeepStrictEqual(one, none) && one.status >= 400) continue
    const asked = `${called.method} ${path}/${id}${called.end ?? ''} by ${caller.name} ${JSON.stringify(headers)}`
    tally.faults.push(`${asked}: ${one.status} ${one.text} but for nobody's ${none.status} ${none.text}`)
  }
}

async function replyTo(
  { client }: Caller,
  path: string,
  { method, body, end = '' }: Called,
  headers: Record<string, string>,
): Promise<Reply> {
  return replyOf(await client.send(method, `${path}${end}`, body, headers))
}
