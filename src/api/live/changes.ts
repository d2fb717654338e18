/** Derives from a batch of events what happened to each row: its states before, between and after the events. */
import type { FeedEvent } from '../../core/events/feed.ts'
import { type CutState, type EventState, readState } from '../../core/events/state.ts'
import type { KnownValues } from '../../database/read/matches.ts'

export interface NetChange {
  /** The name of the entity. */
  entity: string
  id: string
  version: number
  /**
   * In their order, the last one after all events; `null` where there was no row. A client may have read its list between
   * two of the events.
   */
  states: readonly (KnownValues | null)[]
  /** The members that have other values; `null` for a row that came or went. */
  changed: ReadonlySet<string> | null
  /** Whether the events did not keep what lists decide by. */
  isCut: boolean
}

interface RowStates {
  entity: string
  id: string
  states: (EventState | CutState)[]
}

/**
 * @param isChange tells whether events of a type change rows that somebody follows
 * @returns the changes in the order of the first events
 */
export function changesIn(events: readonly FeedEvent[], isChange: (type: string) => boolean): NetChange[] {
  const rows = new Map<string, RowStates>()
  for (const event of events) {
    if (!isChange(event.type)) continue
    const entity = event.type.slice(0, event.type.lastIndexOf('.'))
    const payload: Record<string, unknown> = JSON.parse(event.data)
    const id = String(payload[`${entity}Id`])
    const key = `${entity} ${id}`
    const row = rows.get(key) ?? { entity, id, states: [] }
    rows.set(key, row)
    row.states.push(event.state === null ? unknownState : readState(event.state))
  }
  return [...rows.values()].map(netChange)
}

/** The state in an event without one: from before the entity was live, or published by an administrator. */
const unknownState: CutState = { version: 0, isCut: true }

/** Follows the order of versions. The order of events depends on the clocks of the instances that published them. */
function netChange({ entity, id, states }: RowStates): NetChange {
  const inOrder = states.toSorted((one, other) => placeOf(one) - placeOf(other))
  const version = inOrder.at(-1)?.version ?? 0
  const whole = inOrder.filter((state): state is EventState => !('isCut' in state))
  if (whole.length < states.length) return { entity, id, version, states: [], changed: null, isCut: true }
  const known = (values: KnownValues | null) => values && { ...values, id }
  const isChangeOnly = whole.every(({ changed }) => changed !== undefined)
  return {
    entity,
    id,
    version,
    states: [known(whole[0]?.before ?? null), ...whole.map(({ after }) => known(after))],
    changed: isChangeOnly ? new Set(whole.flatMap(({ changed = [] }) => changed)) : null,
    isCut: false,
  }
}

/** The deletion of a row has the version of its last state. */
function placeOf(state: EventState | CutState): number {
  const isDeletion = !('isCut' in state) && state.after === null
  return state.version + (isDeletion ? 0.5 : 0)
}
