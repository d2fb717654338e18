/** Finds the lists that a change may concern, by an index on one equality of their filters: most are not visited. */
import { equalityIn } from '../../database/read/matches.ts'
import type { NetChange } from './changes.ts'
import type { DecidedList } from './followed.ts'
import type { ListSubscriber } from './list-subscriber.ts'

/** A list of one subscriber. */
export interface Entry {
  subscriber: ListSubscriber
  list: DecidedList
}

interface ListsOfEntity {
  /** The lists whose filters demand a value of a member: by member, then by value. */
  byMember: Map<string, Map<unknown, Set<Entry>>>
  /** Lists whose filters name no value. */
  others: Set<Entry>
  /** The last words of the types of events that report changes of the rows: `updated` in `product.updated`. */
  changes: ReadonlySet<string>
  count: number
}

export class ListIndex {
  readonly #entities = new Map<string, ListsOfEntity>()
  readonly #entries = new Map<ListSubscriber, readonly Entry[]>()

  add(subscriber: ListSubscriber): void {
    const entries = subscriber.followed.lists.map((list) => ({ subscriber, list }))
    this.#entries.set(subscriber, entries)
    for (const entry of entries) this.#add(entry)
  }

  remove(subscriber: ListSubscriber): void {
    for (const entry of this.#entries.get(subscriber) ?? []) this.#remove(entry)
    this.#entries.delete(subscriber)
  }

  /** The number of subscribers. */
  get size(): number {
    return this.#entries.size
  }

  /** Whether rows are followed that events of the type change. */
  followsChanges(type: string): boolean {
    const place = type.lastIndexOf('.')
    return this.#entities.get(type.slice(0, place))?.changes.has(type.slice(place + 1)) === true
  }

  /** @returns the lists that the change may concern; all lists of the entity if the event did not keep the values */
  concerned({ entity, states: all, isCut }: NetChange): ReadonlySet<Entry> {
    const found = this.#entities.get(entity)
    if (found === undefined) return new Set()
    const entries = new Set(found.others)
    const states = all.filter((state) => state !== null)
    for (const [member, byValue] of found.byMember) {
      const isKnown = !isCut && states.every((state) => member in state)
      const lists = isKnown ? states.map((state) => byValue.get(state[member])) : [...byValue.values()]
      for (const some of lists) for (const each of some ?? []) entries.add(each)
    }
    return entries
  }

  #add(entry: Entry): void {
    const { source, filter } = entry.list
    const known: ListsOfEntity = this.#entities.get(source.name) ?? {
      byMember: new Map(),
      others: new Set(),
      changes: source.changes,
      count: 0,
    }
    this.#entities.set(source.name, known)
    known.count++
    const equality = equalityIn(filter)
    if (equality === null) {
      known.others.add(entry)
      return
    }
    const byValue = known.byMember.get(equality.member) ?? new Map<unknown, Set<Entry>>()
    known.byMember.set(equality.member, byValue)
    for (const value of equality.values) {
      const entries = byValue.get(value) ?? new Set<Entry>()
      byValue.set(value, entries)
      entries.add(entry)
    }
  }

  #remove(entry: Entry): void {
    const { source, filter } = entry.list
    const known = this.#entities.get(source.name)
    if (known === undefined) return
    if (--known.count === 0) {
      this.#entities.delete(source.name)
      return
    }
    known.others.delete(entry)
    const equality = equalityIn(filter)
    const byValue = equality && known.byMember.get(equality.member)
    if (equality === null || !byValue) return
    for (const value of equality.values) {
      const entries = byValue.get(value)
      entries?.delete(entry)
      if (entries?.size === 0) byValue.delete(value)
    }
    if (byValue.size === 0) known.byMember.delete(equality.member)
  }
}
