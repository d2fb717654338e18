/** What the test files of a process share, such as a service or a browser. It ends with its last user. */

interface Stoppable {
  stop(): Promise<void>
}

interface Entry<Resource> {
  resource: Promise<Resource>
  users: number
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
  readonly #entries = new Map<Key, Entry<Resource>>()

  constructor(start: (key: Key) => Promise<Resource>) {
    this.#start = start
  }

  /**
   * @param prepare what each user needs beside the resource
   * @throws what the start or `prepare` throws; the resource then has no user more than before
   */
  async use<Used>(key: Key, prepare: (resource: Resource) => Promise<Used>): Promise<Used> {
    try {
      return await prepare(await this.acquire(key))
    } catch (error) {
      await this.release(key)
      throw error
    }
  }

  acquire(key: Key): Promise<Resource> {
    const entry = this.#entries.get(key) ?? this.#begin(key)
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

  /** The user after a failed start tries again. */
  #begin(key: Key): Entry<Resource> {
    const entry = { resource: this.#start(key), users: 0 }
    this.#entries.set(key, entry)
    entry.resource.catch(() => this.#entries.delete(key))
    return entry
  }
}
