/** Makes an attempt to write, and looks at what it left behind. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '../support/client.ts'
import type { Ask } from '../support/database/inspect.ts'
import type { Attempt } from './attempts.ts'
import { type Row, reaches, readsMember, refusalsOf, refusalsOfRemoval, type World } from './oracle.ts'
import { type Caller, fingerprint, readWorld, type Scene } from './scene.ts'
import type { Tally } from './walk.ts'

interface Walking {
  scene: Scene
  ask: Ask
  tally: Tally
  /** By entity. */
  paths: ReadonlyMap<string, string>
  /** Requests with a key, to be repeated later. */
  remembered: Remembered[]
}

interface Remembered {
  caller: Caller
  entity: string
  key: string
  input: object
  id: string
}

export type { Walking }

/** @returns the rows afterwards */
export async function tryWrite(
  attempt: Attempt,
  caller: Caller,
  world: World,
  walking: Walking,
): Promise<World> {
  const { scene, ask, tally } = walking
  const expected = expectedOf(attempt, caller, world)
  const print = await fingerprint(ask, scene)
  const isKept = attempt.kind === 'create' && !attempt.isGraphql && attempt.isBulk !== true
  const key = isKept ? randomUUID() : null
  const { status, answer, row } = await send(attempt, caller, walking.paths, key)
  tally.answers++
  tally.tried.add(nameOf(attempt, walking.paths))
  const report = (what: string) =>
    tally.faults.push(
      `${nameOf(attempt, walking.paths)} by ${caller.name}: ${what}\n  ${JSON.stringify(attempt.before)}\n  ${JSON.stringify(attempt.input)}\n  ${status} ${answer.text}`,
    )
  if (status < 300 ? expected.size > 0 : !expected.has(status)) report(`expected ${[...expected]}`)
  const isSame = (await fingerprint(ask, scene)) === print
  if (isSame !== status >= 300) report(isSame ? 'left nothing behind' : 'left something behind')
  if (tellsState(attempt, caller, answer)) report('tells a hidden state')
  if (status >= 300) return world
  const now = await readWorld(scene)
  for (const fault of faultsAfter(attempt, caller, { now, world, row, status })) report(fault)
  const id = attempt.before?.id ?? idOfNew(attempt.entity, world, now)
  if (key !== null && id !== null)
    walking.remembered.push({ caller, entity: attempt.entity, key, input: attempt.input, id })
  return now
}

function tellsState({ entity }: Attempt, caller: Caller, { status, text }: Answer): boolean {
  return status >= 300 && /\b(early|late)\b/.test(text) && !readsMember(caller, entity, 'stage')
}

function expectedOf(attempt: Attempt, caller: Caller, world: World): Set<number> {
  const { entity, kind, before, input, after } = attempt
  if (kind === 'delete' && before !== null) return refusalsOfRemoval(caller, entity, before, world)
  const verb = kind === 'finish' ? kind : 'update'
  const refused = refusalsOf(caller, { entity, before, input, after, verb }, world)
  if (kind === 'close' && before?.['state'] !== 'open') refused.add(400)
  if (kind === 'finish' && before?.['stage'] !== 'late') refused.add(400)
  // No more is told than that there is no such row, and that the caller may not call.
  return refused.has(404) || refused.has(401)
    ? new Set([...refused].filter((each) => each === 404 || each === 401))
    : refused
}

interface Sent {
  status: number
  answer: Answer
  row: Row | null
}

async function send(
  attempt: Attempt,
  caller: Caller,
  paths: Walking['paths'],
  key: string | null,
): Promise<Sent> {
  const { entity, kind, before, input } = attempt
  if (attempt.isGraphql) return sendDocument(attempt, caller)
  if (attempt.isBulk === true) return sendBulk(attempt, caller, paths)
  const path = `${paths.get(entity)}${before === null ? '' : `/${before.id}`}`
  const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key }
  const answer = await {
    create: () => caller.client.post(path, input, headers),
    change: () => caller.client.patch(path, input),
    replace: () => caller.client.put(path, input),
    delete: () => caller.client.delete(path),
    close: () => caller.client.post(`${path}/close`),
    finish: () => caller.client.post(`${path}/finish`),
  }[kind]()
  return { status: answer.status, answer, row: answer.text === '' ? null : answer.body }
}

async function sendBulk(
  { entity, kind, before, input }: Attempt,
  { client }: Caller,
  paths: Walking['paths'],
) {
  const rows = before === null ? { rows: [input] } : { ids: [before.id], input }
  const answer = await client.post(`${paths.get(entity)}/bulk`, { ...rows, do: kind })
  const [report] = answer.body.rows ?? []
  return { status: report?.error?.status ?? answer.status, answer, row: null }
}

const statusOfCode: Readonly<Record<string, number>> = {
  AUTH_NOT_AUTHENTICATED: 401,
  AUTH_NOT_AUTHORIZED: 403,
  NOT_FOUND: 404,
  BAD_USER_INPUT: 400,
}

async function sendDocument({ entity, kind, before, input }: Attempt, { client }: Caller): Promise<Sent> {
  const type = `${entity.charAt(0).toUpperCase()}${entity.slice(1)}`
  const verb = kind === 'change' ? 'update' : kind
  const takesInput = kind === 'create' || kind === 'change'
  const declared = [
    ...(before === null ? [] : ['$id: UUID!']),
    ...(takesInput ? [`$input: ${verb === 'create' ? 'Create' : 'Update'}${type}Input!`] : []),
  ]
  const given = [...(before === null ? [] : ['id: $id']), ...(takesInput ? ['input: $input'] : [])]
  const query = `mutation (${declared.join()}) { result: ${verb}${type}(${given.join()}) { id createdAt } }`
  const variables = { ...(before !== null && { id: before.id }), ...(takesInput && { input }) }
  const answer = await client.post('/graphql', { query, variables })
  const code: string | undefined = answer.body.errors?.[0].extensions?.code
  const status =
    code === undefined ? (answer.body.errors === undefined ? 200 : 500) : (statusOfCode[code] ?? 500)
  return { status, answer, row: answer.body.data?.result ?? null }
}

interface After {
  now: World
  world: World
  row: Row | null
  status: number
}

function faultsAfter(attempt: Attempt, caller: Caller, { now, world, row, status }: After): string[] {
  const { entity, kind, before, after, isGraphql, isBulk } = attempt
  const others = (of: World) =>
    Object.fromEntries(
      Object.entries(of).map(([name, rows]) => [
        name,
        name === entity ? rows.filter(({ id }) => id !== target) : rows,
      ]),
    )
  const target = before?.id ?? idOfNew(entity, world, now)
  const faults: string[] = []
  if (!isDeepStrictEqual(others(now), others(world))) faults.push('another row has changed')
  const found = now[entity]?.find(({ id }) => id === target)
  if (kind === 'delete') return found === undefined ? faults : [...faults, 'the row is still there']
  if (found === undefined) return [...faults, 'there is no row']
  const wrong = Object.keys(after).filter(
    (name) =>
      !['id', 'createdAt', 'updatedAt'].includes(name) && !isDeepStrictEqual(found[name], after[name]),
  )
  if (wrong.length > 0) faults.push(`${wrong} differ from ${JSON.stringify(after)}: ${JSON.stringify(found)}`)
  if (isBulk === true) return faults // the report shows no member
  if (!reaches(caller, entity, 'read', found, now)) {
    const isNothing = row === null && (isGraphql || status === 204)
    return isNothing ? faults : [...faults, 'shows a row that has left the reach']
  }
  const shown = isGraphql ? { id: found.id, createdAt: found['createdAt'] } : readable(caller, entity, found)
  if (!isDeepStrictEqual({ ...row }, shown)) faults.push(`shows not ${JSON.stringify(shown)}`)
  return faults
}

function readable(caller: Caller, entity: string, row: Row): object {
  const members = Object.entries(row).filter(([name]) => readsMember(caller, entity, name))
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      name === 'lines' && !caller.permissions.has('ticket:internal')
        ? (value as Row[]).map(({ price: _, ...line }) => line)
        : value,
    ]),
  )
}

function idOfNew(entity: string, world: World, now: World): string | null {
  const known = new Set(world[entity]?.map(({ id }) => id))
  return now[entity]?.find(({ id }) => !known.has(id))?.id ?? null
}

function nameOf({ entity, kind, isGraphql, isBulk }: Attempt, paths: Walking['paths']): string {
  const type = `${entity.charAt(0).toUpperCase()}${entity.slice(1)}`
  if (isGraphql) return `Mutation.${kind === 'change' ? 'update' : kind}${type}`
  const path = paths.get(entity)
  if (isBulk === true) return `POST ${path}/bulk ${kind}`
  return {
    create: `POST ${path}`,
    change: `PATCH ${path}/:id`,
    replace: `PUT ${path}/:id`,
    delete: `DELETE ${path}/:id`,
    close: `POST ${path}/:id/close`,
    finish: `POST ${path}/:id/finish`,
  }[kind]
}

/** Repeats the requests that had a key: the caller gets the row as it was, or what it gets for a row that is not there. */
export async function repeatAll({ remembered, tally, paths }: Walking, world: World): Promise<void> {
  for (const { caller, entity, key, input, id } of remembered) {
    const path = paths.get(entity) ?? ''
    const again = await caller.client.post(path, input, { 'idempotency-key': key })
    const row = world[entity]?.find((each) => each.id === id)
    // Whoever reaches all rows gets what was answered, whatever has become of the row.
    const reachesAll = entity === 'team' || caller.permissions.has(`${entity}:all`)
    const isReached = reachesAll || (row !== undefined && reaches(caller, entity, 'read', row, world))
    tally.answers++
    const none = isReached ? null : await caller.client.get(`${path}/${id}`)
    const isRight =
      none === null
        ? again.status === 201 && again.body.id === id
        : again.status === 404 && again.text === none.text
    if (!isRight) tally.faults.push(`POST ${path} by ${caller.name} again: ${again.status} ${again.text}`)
  }
}
