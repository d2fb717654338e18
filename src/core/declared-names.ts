/** The names of events or actions that features declare, and which of them a name that none declares may stand for. */
import { LruMap } from '../database/lru-map.ts'
import { nearestName } from './nearest-name.ts'

/** Applications use names of their own all day: each is compared once. */
const maxRemembered = 1000

export class DeclaredNames {
  readonly #names: ReadonlySet<string>
  readonly #nearest = new LruMap<string, { name: string | null }>(maxRemembered)

  constructor(names: Iterable<string>) {
    this.#names = new Set(names)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** @returns `null` when none is near; `order.*` is compared with its like */
  nearest(name: string): string | null {
    const remembered = this.#nearest.get(name)
    if (remembered !== undefined) return remembered.name
    const alike = [...this.#names].filter((each) => isNoun(each) === isNoun(name))
    const found = { name: nearestName(name, alike) }
    this.#nearest.set(name, found)
    return found.name
  }
}

function isNoun(name: string): boolean {
  return name.endsWith('*')
}
