/**
 * Decides which subscriptions get the events of rows that not everybody may read. A rule of the
 * application decides: the owner of the subscription must be allowed to read the row as it was before
 * the change, or as it is after it.
 */
import type { EventRows } from '../../core/events/event-type.ts'
import { readState } from '../../core/events/state.ts'
import { type PresentOwner, rightsOfUsers } from '../../core/owner.ts'
import { TenantData } from '../../database/data.ts'
import type { Executor } from '../../database/executor.ts'
import type { RowReach } from '../../database/row-reach.ts'
import { readsStated, type StatedRow } from '../../database/row-state.ts'
import { type AccessParts, type OwnedSubscription, ownerFor, reachOfBoth } from './access.ts'

/** An event and a subscription, which gets the event if its owner may read the row. */
export interface RowQuestion<S extends OwnedSubscription = OwnedSubscription> {
  event: { tenantId: string; id: string; type: string }
  subscriber: S
}

/** The most rows in one statement. */
const maxStatedRows = 200

/**
 * Makes one decision for all subscriptions whose owners may read the same rows.
 * @param stateOf returns the values of the row that an event has stored, as JSON text; `null` for an event without
 *   values, which this function gives to nobody. Owners with a permission for all rows get it without this function:
 *   `verdictFor` already allows it to them.
 * @returns whether each subscription gets its event
 */
export async function decideByRow(
  executor: Executor,
  questions: readonly RowQuestion[],
  { stateOf, ...parts }: AccessParts & { stateOf: (eventId: string) => string | null },
): Promise<boolean[]> {
  const reaches = new ReachOfSubscribers(parts)
  const groups = Map.groupBy(
    questions.map((question, index) => ({ ...question, index, ...reaches.of(question) })),
    ({ event, rows, reach }) =>
      JSON.stringify([event.tenantId, rows.table, reach.map((each) => each.signature(rows.table))]),
  )
  const answers = questions.map(() => false)
  for (const group of groups.values()) {
    const [first] = group
    if (first === undefined) continue
    const { rows, reach } = first
    const data = new TenantData(first.event.tenantId, executor)
    const ids = new Set(group.map(({ event }) => event.id))
    const states = new Map([...ids].map((id) => [id, statedRows(stateOf(id), rows, reach)]))
    const reached = await reachedEvents(data, states, { table: rows.table, reach })
    for (const { event, index } of group) answers[index] = reached.has(event.id)
  }
  return answers
}

/**
 * Remembers which rows each owner may read. For the subscription of a customer, both
 * must be allowed: owner and customer.
 */
class ReachOfSubscribers {
  readonly #parts: AccessParts
  readonly #known = new Map<string, readonly RowReach[]>()

  constructor(parts: AccessParts) {
    this.#parts = parts
  }

  of({ event, subscriber }: RowQuestion): { rows: EventRows; reach: readonly RowReach[] } {
    const rows = this.#parts.eventTypes.rowsOf(event.type)
    if (rows === null) throw new Error(`Rows do not decide of ${event.type}.`)
    const { tenantId, owner, access, customer } = subscriber
    const key = JSON.stringify([tenantId, owner, access, customer])
    let reach = this.#known.get(key)
    if (reach === undefined) {
      const present = ownerFor(subscriber, this.#parts)
      reach = present === null ? [] : this.#reachOf(present, subscriber)
      this.#known.set(key, reach)
    }
    return { rows, reach }
  }

  #reachOf(owner: PresentOwner, { tenantId, customer }: OwnedSubscription): readonly RowReach[] {
    const { rowRules, permissions } = this.#parts
    // A customer has no permissions of its own: where a rule asks for one, those of every user count.
    const users = rightsOfUsers(permissions, tenantId).permissions
    return reachOfBoth(rowRules, owner, { customer, users })
  }
}

interface Reached {
  table: string
  /** A subscription gets the event only if each of them permits the row. */
  reach: readonly RowReach[]
}

/**
 * The row before the change and after it, with the columns that rules compare. A text that was too long to be
 * stored in the event is absent: no rule matches it.
 */
function statedRows(
  text: string | null,
  { columns, table }: EventRows,
  reach: readonly RowReach[],
): StatedRow[] {
  if (text === null || reach.length === 0) return []
  const state = readState(text)
  if ('isCut' in state) return []
  const needed = new Set(reach.flatMap((each) => [...each.columns(table)]))
  const used = [...columns].filter(([, { column }]) => needed.has(column))
  return [state.before, state.after].flatMap((values) => {
    if (values === null) return []
    const stated = used.map(([member, { column, type }]) => {
      const value = values[member]
      return [column, { type, value: typeof value === 'string' ? value : null }] as const
    })
    return [new Map(stated)]
  })
}

/**
 * Decides by the values of the row where they suffice, and otherwise asks the
 * database: a rule may refer to other rows.
 * @returns the ids of the events whose row may be read
 */
async function reachedEvents(
  data: TenantData,
  states: ReadonlyMap<string, readonly StatedRow[]>,
  reached: Reached,
): Promise<Set<string>> {
  const ids = new Set<string>()
  const undecided: { id: string; row: StatedRow }[] = []
  for (const [id, rows] of states) {
    const known = rows.map((row) => readsByValues(row, reached))
    if (known.includes(true)) ids.add(id)
    else undecided.push(...rows.flatMap((row, index) => (known[index] === null ? [{ id, row }] : [])))
  }
  for (let from = 0; from < undecided.length; from += maxStatedRows)
    for (const id of await readByDatabase(data, undecided.slice(from, from + maxStatedRows), reached))
      ids.add(id)
  return ids
}

/** @returns `null` if the values do not suffice */
function readsByValues(row: StatedRow, { table, reach }: Reached): boolean | null {
  const values = new Map([...row].map(([column, { value }]) => [column, value]))
  const verdicts = reach.map((rowReach) => rowReach.reads(table, values))
  if (verdicts.includes(false)) return false
  return verdicts.includes(null) ? null : true
}

async function readByDatabase(
  data: TenantData,
  undecided: readonly { id: string; row: StatedRow }[],
  { table, reach }: Reached,
): Promise<string[]> {
  let permitted = undecided
  for (const rowReach of reach) {
    const reads = await readsStated(data, rowReach, { table, rows: permitted.map(({ row }) => row) })
    permitted = permitted.filter((_each, index) => reads[index] === true)
  }
  return permitted.map(({ id }) => id)
}
