/** What the test files of a process share, such as a service or a browser. It ends with its last user. */

interface Stoppable {
  stop(): Promise<void>
}

/** Set by a worker for as long as it has files: its files use what is shared one after another. */
let isKept = false
const idle = new Map<object, () => Promise<void>>()

/** From now on what is shared stays without users. */
export function keepShared(): void {
  isKept = true
}

/** Ends what has no users. */
export async function endShared(): Promise<void> {
  isKept = false
  for (const end of [...idle.values()]) await end()
}

export class SharedResources<Key, Resource extends Stoppable> {
  readonly #start: (key: Key) => Promise<Resource>
  readonly #entries = new Map<Key, { resource: Promise<Resource>; users: number }>()

  constructor(start: (key: Key) => Promise<Resource>) {
    this.#start = start
  }

  acquire(key: Key): Promise<Resource> {
    const entry = this.#entries.get(key) ?? { resource: this.#start(key), users: 0 }
    this.#entries.set(key, entry)
    idle.delete(entry)
    entry.users++
    return entry.resource
  }

  async release(key: Key): Promise<void> {
    const entry = this.#entries.get(key)
    if (entry === undefined || --entry.users > 0) return
    const end = async (): Promise<void> => {
      idle.delete(entry)
      this.#entries.delete(key)
      await (await entry.resource).stop()
    }
    if (isKept) idle.set(entry, end)
    else await end()
  }
}
