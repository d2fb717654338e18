/** Finds the lists that a change may concern by one equality of their filters, so that most lists cost nothing. */
import { equalityIn } from '../../database/read/matches.ts'
import type { NetChange } from './changes.ts'
import type { FollowedList } from './followed.ts'
import type { ListSubscriber } from './list-subscriber.ts'

/** A list of one subscriber. */
export interface Entry {
  subscriber: ListSubscriber
  list: FollowedList
}

interface OfEntity {
  /** By member, and by the value that rows of the list have. */
  byMember: Map<string, Map<unknown, Entry[]>>
  /** Lists whose filters name no value. */
  others: Entry[]
}

export class ListIndex {
  readonly #entities = new Map<string, OfEntity>()

  constructor(subscribers: readonly ListSubscriber[]) {
    for (const subscriber of subscribers)
      for (const list of subscriber.followed.lists) this.#add({ subscriber, list })
  }

  get entities(): ReadonlySet<string> {
    return new Set(this.#entities.keys())
  }

  /** Each list once; all lists of the entity for a change that did not keep its values. */
  concerned({ entity, states: all, isCut }: NetChange): ReadonlySet<Entry> {
    const found = this.#entities.get(entity)
    if (found === undefined) return new Set()
    const entries = new Set(found.others)
    const states = all.filter((state) => state !== null)
    for (const [member, byValue] of found.byMember) {
      const isKnown = !isCut && states.every((state) => member in state)
      const lists = isKnown ? states.map((state) => byValue.get(state[member])) : [...byValue.values()]
      for (const each of lists.flatMap((some) => some ?? [])) entries.add(each)
    }
    return entries
  }

  #add(entry: Entry): void {
    const { source, filter } = entry.list
    const known: OfEntity = this.#entities.get(source.name) ?? { byMember: new Map(), others: [] }
    this.#entities.set(source.name, known)
    const equality = equalityIn(filter)
    if (equality === null) {
      known.others.push(entry)
      return
    }
    const byValue = known.byMember.get(equality.member) ?? new Map<unknown, Entry[]>()
    known.byMember.set(equality.member, byValue)
    for (const value of new Set(equality.values)) {
      const entries: Entry[] = byValue.get(value) ?? []
      byValue.set(value, entries)
      entries.push(entry)
    }
  }
}
