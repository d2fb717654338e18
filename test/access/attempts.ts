/** Attempts to write: over REST or GraphQL, what is sent, and what the row would be. */
import type { OracleCaller, Row, World } from './oracle.ts'
import { visibleRows, writesMember } from './oracle.ts'
import type { Pick } from './pick.ts'

export type Kind = 'create' | 'change' | 'replace' | 'delete' | 'close' | 'finish'

export interface Attempt {
  entity: string
  kind: Kind
  /** `null` for a new row. */
  before: Row | null
  input: Readonly<Record<string, unknown>>
  after: Row
  isGraphql: boolean
  /** As the one row of a request for many. */
  isBulk?: boolean
}

const newId = 'new'

type Values = Record<string, unknown>

/** The members that every row has, with their defaults; `null` for those that are required. */
const members: Readonly<Record<string, Values>> = {
  team: { name: null },
  membership: { teamId: null, memberId: null },
  client: { name: null, ownerId: null, secret: null, favouriteId: null },
  ticket: {
    title: null,
    code: null,
    note: null,
    cost: 0,
    rank: 1,
    stage: 'early',
    state: 'open',
    clientId: null,
    teamId: null,
    assigneeId: null,
    lines: [],
  },
  comment: { ticketId: null, body: null, aside: null },
  reaction: { commentId: null, face: null },
  report: { title: null, authorId: null, pages: 1 },
  parcel: { label: null, holderId: null, weight: 1 },
  notice: { title: null, teamId: null, remark: null },
}

const unknownId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

export interface Sources {
  pick: Pick
  world: World
  userIds: readonly string[]
}

/** @returns the attempt, or the same as a request for many rows */
export function sometimesBulk(attempt: Attempt, pick: Pick): Attempt {
  const { kind, isGraphql } = attempt
  const mayBulk = !isGraphql && kind !== 'replace'
  return { ...attempt, isBulk: mayBulk && pick([true, false]) }
}

/** @param caller whose own rows are tried more often than chance would have it */
export function randomAttempt(entity: string, kind: Kind, caller: OracleCaller, sources: Sources): Attempt {
  const { pick } = sources
  const isGraphql = kind !== 'replace' && pick([true, false, false])
  const before = kind === 'create' ? null : rowToChange(entity, caller, sources)
  if (kind === 'create' || before === null) {
    const input = wholeInput(entity, caller, sources)
    return { entity, kind: 'create', before: null, input, after: made(entity, input), isGraphql }
  }
  if (kind === 'delete') return { entity, kind, before, input: {}, after: before, isGraphql }
  if (kind === 'close' || kind === 'finish') {
    const to = kind === 'close' ? { state: 'closed', cost: 9 } : { state: 'closed' }
    return { entity, kind, before, input: {}, after: { ...before, ...to }, isGraphql }
  }
  const whole = wholeInput(entity, caller, sources)
  if (kind === 'replace') {
    const input = {
      ...whole,
      ...(entity === 'ticket' && pick([true, true, false]) && { clientId: before['clientId'] }),
    }
    return { entity, kind, before, input, after: replaced(entity, caller, before, input), isGraphql }
  }
  const given = Object.keys(whole).filter(() => pick([true, false]))
  const input = Object.fromEntries(given.map((name) => [name, whole[name]]))
  return { entity, kind, before, input, after: computed(entity, { ...before, ...stored(input) }), isGraphql }
}

function rowToChange(entity: string, caller: OracleCaller, { pick, world }: Sources): Row | null {
  const all = world[entity] ?? []
  const seen = visibleRows(caller, entity, world)
  if (seen.length > 0 && pick([true, true, false])) return pick(seen)
  return all.length === 0 ? null : pick(all)
}

function made(entity: string, input: Values): Row {
  return computed(entity, { ...members[entity], ...stored(input), id: newId })
}

/** What the caller does not write stays, and what is left out of the rest gets its default. */
function replaced(entity: string, caller: OracleCaller, before: Row, input: Values): Row {
  const defaults = Object.entries(members[entity] ?? {}).filter(([name]) => {
    const isKept = name === 'clientId' || (name === 'lines' && !caller.permissions.has('ticket:internal'))
    return !isKept && writesMember(caller, entity, name)
  })
  return computed(entity, { ...before, ...Object.fromEntries(defaults), ...stored(input) })
}

function computed(entity: string, row: Row): Row {
  return entity === 'ticket' ? { ...row, score: Number(row['rank']) * 10 } : row
}

function stored(input: Values): Values {
  const { lines } = input
  if (!Array.isArray(lines)) return input
  return { ...input, lines: lines.map((line: Values) => ({ price: 0, ...line })) }
}

let count = 0

function wholeInput(entity: string, caller: OracleCaller, { pick, world, userIds }: Sources): Values {
  const text = () => `${pick(['ant', 'bee', 'cat'])} ${count++}`
  const row = (of: string) => pick([...(world[of] ?? []).map(({ id }) => id), unknownId])
  const someone = () => (caller.userId !== null && pick([true, true, false]) ? caller.userId : pick(userIds))
  const taken = (of: string, member: string) => {
    const values = (world[of] ?? []).flatMap((each) => each[member] ?? [])
    return values.length > 0 && pick([true, false, false, false]) ? String(pick(values)) : text()
  }
  const rarely = (members_: Values): Values => (pick([true, false, false, false]) ? members_ : {})
  const often = (members_: Values): Values => (pick([true, false]) ? members_ : {})
  switch (entity) {
    case 'team':
      return { name: text() }
    case 'membership':
      return { teamId: row('team'), memberId: someone() }
    case 'client':
      return {
        name: taken('client', 'name'),
        ownerId: someone(),
        ...rarely({ secret: text() }),
        ...often({ favouriteId: row('ticket') }),
      }
    case 'ticket':
      return {
        title: text(),
        clientId: row('client'),
        ...often({ assigneeId: someone() }),
        ...often({ code: taken('ticket', 'code') }),
        ...rarely({ teamId: row('team') }),
        ...rarely(pick([{ note: text() }, { cost: 5 }, { rank: 4 }, { stage: 'late' }])),
        ...often({ state: 'open' }),
        ...rarely({ lines: pick<Values[]>([[], [{ label: text() }], [{ label: text(), price: 3 }]]) }),
      }
    case 'comment':
      return { ticketId: row('ticket'), body: text(), ...rarely({ aside: text() }) }
    case 'reaction':
      return { commentId: row('comment'), face: pick(['smile', 'frown']) }
    case 'report':
      return { title: text(), authorId: someone(), pages: pick([1, 5]) }
    case 'parcel':
      return { label: text(), holderId: someone(), ...often({ weight: 3 }) }
    case 'notice':
      return { title: text(), ...often({ teamId: row('team') }), ...rarely({ remark: text() }) }
    default:
      throw new Error(`Write here what is given to a ${entity}.`)
  }
}
