/**
 * What the rules of the application give to a caller, written a second time: plain conditions in memory over all rows. It
 * knows nothing of the sources.
 */
export interface Row {
  id: string
  [member: string]: unknown
}

/** All rows of a tenant, by entity, as an administrator reads them. */
export type World = Readonly<Record<string, readonly Row[]>>

export interface OracleCaller {
  /** Of a user; an API key and somebody without a token have none. */
  userId: string | null
  isAnonymous: boolean
  permissions: ReadonlySet<string>
}

/** `finish`: an action with a rule of its own. */
export type Verb = 'read' | 'create' | 'update' | 'delete' | 'keep' | 'finish'

type Rule = (row: Row, asked: { caller: OracleCaller; world: World; verb: Verb }) => boolean
type Rules = Rule | Partial<Record<Verb, Rule>>

const own =
  (member: string): Rule =>
  (row, { caller }) =>
    caller.userId !== null && row[member] === caller.userId

const may =
  (permission: string): Rule =>
  (_row, { caller }) =>
    caller.permissions.has(permission)

const either =
  (...parts: Rule[]): Rule =>
  (row, asked) =>
    parts.some((rule) => rule(row, asked))

const both =
  (...parts: Rule[]): Rule =>
  (row, asked) =>
    parts.every((rule) => rule(row, asked))

const ofOwnTeam: Rule = (row, { caller, world }) =>
  caller.userId !== null &&
  row['teamId'] !== null &&
  (world['membership'] ?? []).some(
    (membership) => membership['memberId'] === caller.userId && membership['teamId'] === row['teamId'],
  )

const ofOwnClient: Rule = (row, { caller, world }) =>
  (world['client'] ?? []).some(
    (client) =>
      client.id === row['clientId'] && caller.userId !== null && client['ownerId'] === caller.userId,
  )

const following =
  (parent: string): Rule =>
  (row, { caller, world, verb }) =>
    (world[parent] ?? []).some(
      (each) =>
        each.id === row[`${parent}Id`] &&
        reaches(caller, parent, verb === 'read' ? 'read' : 'update', each, world),
    )

const rules: Readonly<Record<string, Rules>> = {
  membership: own('memberId'),
  client: own('ownerId'),
  ticket: {
    read: either(own('assigneeId'), ofOwnClient, ofOwnTeam),
    create: either(own('assigneeId'), ofOwnClient),
    update: either(own('assigneeId'), may('ticket:sweep')),
    delete: may('ticket:remove'),
    finish: either(ofOwnClient, may('ticket:remove')),
  },
  comment: following('ticket'),
  reaction: following('comment'),
  report: {
    read: either(may('report:see'), own('authorId')),
    create: own('authorId'),
    update: both(own('authorId'), may('report:edit')),
  },
  parcel: {
    read: own('holderId'),
    create: own('holderId'),
    update: both(own('holderId'), may('parcel:send')),
    delete: own('holderId'),
    keep: may('parcel:write'),
  },
  notice: either(ofOwnTeam, may('notice:see')),
}

/** Whether the row is in reach for the operation; the permission of the route is asked apart. */
export function reaches(caller: OracleCaller, entity: string, verb: Verb, row: Row, world: World): boolean {
  const rule = rules[entity]
  if (rule === undefined || caller.permissions.has(`${entity}:all`)) return true
  const stated = typeof rule === 'function' ? rule : rule[verb]
  if (stated !== undefined) return stated(row, { caller, world, verb })
  if (verb !== 'keep') return false
  return (['read', 'update'] as const).every((each) => reaches(caller, entity, each, row, world))
}

export function visibleRows(caller: OracleCaller, entity: string, world: World): Row[] {
  return (world[entity] ?? []).filter((row) => reaches(caller, entity, 'read', row, world))
}

export const publicReads = new Set(['team', 'notice'])

/** @returns 401 or 403 for a caller whose permissions do not open the route, else `null` */
export function refusedAtDoor(
  caller: OracleCaller,
  entity: string,
  kind: 'read' | 'write',
): 401 | 403 | null {
  if (kind === 'read' && publicReads.has(entity)) return null
  if (caller.isAnonymous) return 401
  return caller.permissions.has(`${entity}:${kind}`) ? null : 403
}

interface FieldRule {
  read?: string
  write?: string
  once?: true
  never?: true
}

export const fieldRules: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  client: { secret: { read: 'client:secret' } },
  ticket: {
    note: { read: 'ticket:internal', write: 'ticket:internal' },
    cost: { never: true },
    rank: { read: 'ticket:internal' },
    score: { read: 'ticket:internal' },
    stage: { read: 'ticket:internal' },
    clientId: { once: true },
  },
  comment: { aside: { read: 'ticket:internal' } },
  notice: { remark: { read: 'notice:inside' } },
}

export function readsMember(caller: OracleCaller, entity: string, member: string): boolean {
  const read = fieldRules[entity]?.[member]?.read
  return read === undefined || caller.permissions.has(read)
}

export function writesMember(caller: OracleCaller, entity: string, member: string): boolean {
  const { read, write, never } = fieldRules[entity]?.[member] ?? {}
  return (
    never !== true &&
    [read, write].every((permission) => permission === undefined || caller.permissions.has(permission))
  )
}

/** By the entity that is referred to, who refers to it. */
export const references: readonly { from: string; member: string; to: string }[] = [
  { from: 'membership', member: 'teamId', to: 'team' },
  { from: 'client', member: 'favouriteId', to: 'ticket' },
  { from: 'ticket', member: 'clientId', to: 'client' },
  { from: 'ticket', member: 'teamId', to: 'team' },
  { from: 'comment', member: 'ticketId', to: 'ticket' },
  { from: 'reaction', member: 'commentId', to: 'comment' },
  { from: 'notice', member: 'teamId', to: 'team' },
]

/** Members of which no two rows have the same value. */
const unique: Readonly<Record<string, string>> = { client: 'name', ticket: 'code' }

interface Change {
  entity: string
  /** As it is; `null` for a new row. */
  before: Row | null
  /** What the caller gives. */
  input: Readonly<Record<string, unknown>>
  /** As it would be. */
  after: Row
  /** As what a change counts. */
  verb: 'update' | 'finish'
}

/** @returns the statuses with which the change may be refused; none: it is made */
export function refusalsOf(caller: OracleCaller, change: Change, world: World): Set<number> {
  const { entity, before } = change
  const door = refusedAtDoor(caller, entity, 'write')
  if (door !== null) return new Set([door])
  if (before !== null && !reaches(caller, entity, 'read', before, world)) return new Set([404])
  return new Set([
    ...(isInReach(caller, change, world) ? [] : [403]),
    ...refusedMembers(caller, change),
    ...(namesNothing(caller, change, world) || isTaken(change, world) ? [400] : []),
  ])
}

function isInReach(caller: OracleCaller, { entity, before, after, verb }: Change, world: World): boolean {
  const others = (world[entity] ?? []).filter(({ id }) => id !== after.id)
  const changed = { ...world, [entity]: [...others, after] }
  const isAllowed =
    before === null
      ? reaches(caller, entity, 'create', after, changed)
      : reaches(caller, entity, verb, before, world)
  // No rule of an entity with such an action states what is kept.
  const kept = verb === 'update' ? (['keep'] as const) : (['read', verb] as const)
  return isAllowed && kept.every((each) => reaches(caller, entity, each, after, changed))
}

function refusedMembers(caller: OracleCaller, { entity, before, input, after }: Change): number[] {
  return Object.keys(input).flatMap((member) => {
    const isWritten = member !== 'lines' || writesLines(caller, input[member], before)
    const isOther = before !== null && before[member] !== after[member]
    return [
      ...(isWritten && writesMember(caller, entity, member) ? [] : [403]),
      ...(fieldRules[entity]?.[member]?.once === true && isOther ? [400] : []),
    ]
  })
}

/** Whether a reference that is new names no row that the caller reads. */
function namesNothing(caller: OracleCaller, { entity, before, after }: Change, world: World): boolean {
  return references.some(({ from, member, to }) => {
    const id = after[member] ?? null
    if (from !== entity || id === null || id === before?.[member]) return false
    return !visibleRows(caller, to, world).some((row) => row.id === id)
  })
}

function isTaken({ entity, after }: Change, world: World): boolean {
  const key = unique[entity]
  if (key === undefined || (after[key] ?? null) === null) return false
  return (world[entity] ?? []).some((row) => row.id !== after.id && row[key] === after[key])
}

/** Their price is hidden: whoever does not write it gives it to no new row, and rewrites no list. */
function writesLines(caller: OracleCaller, given: unknown, before: Row | null): boolean {
  if (caller.permissions.has('ticket:internal')) return true
  return before === null && Array.isArray(given) && given.every((line: object) => !('price' in line))
}

/** @returns the same of a deletion */
export function refusalsOfRemoval(caller: OracleCaller, entity: string, row: Row, world: World): Set<number> {
  const door = refusedAtDoor(caller, entity, 'write')
  if (door !== null) return new Set([door])
  if (!reaches(caller, entity, 'read', row, world)) return new Set([404])
  if (!reaches(caller, entity, 'delete', row, world)) return new Set([403])
  const isNamed = references.some(
    ({ from, member, to }) => to === entity && (world[from] ?? []).some((each) => each[member] === row.id),
  )
  return new Set(isNamed ? [400] : [])
}
