/** What a batch of events did to rows: the states of each row before the first event, between them and after the last. */
import type { FeedEvent } from '../../core/events/feed.ts'
import { type EventState, readState } from '../../core/events/state.ts'
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

/** @param entities the names of those whose rows are followed @returns the changes in the order of the first events */
export function changesIn(
  events: readonly FeedEvent[],
  entities: Pick<ReadonlySet<string>, 'has'>,
): NetChange[] {
  const changes = new Map<string, NetChange>()
  for (const event of events) {
    const entity = event.type.slice(0, event.type.lastIndexOf('.'))
    if (event.state === null || !entities.has(entity)) continue
    const payload: Record<string, unknown> = JSON.parse(event.data)
    const id = String(payload[`${entity}Id`])
    const state = readState(event.state)
    const key = `${entity} ${id}`
    const earlier = changes.get(key)
    changes.set(
      key,
      'isCut' in state ? cut(entity, id, state.version) : joined(earlier, { entity, id, state }),
    )
  }
  return [...changes.values()]
}

function cut(entity: string, id: string, version: number): NetChange {
  return { entity, id, version, states: [], changed: null, isCut: true }
}

function joined(
  earlier: NetChange | undefined,
  { entity, id, state }: { entity: string; id: string; state: EventState },
): NetChange {
  const known = (values: KnownValues | null) => values && { ...values, id }
  const { version, changed } = state
  const own = changed === undefined ? null : new Set(changed)
  if (earlier === undefined)
    return {
      entity,
      id,
      version,
      states: [known(state.before), known(state.after)],
      changed: own,
      isCut: false,
    }
  const all = earlier.changed === null || own === null ? null : new Set([...earlier.changed, ...own])
  return { ...earlier, version, states: [...earlier.states, known(state.after)], changed: all }
}
