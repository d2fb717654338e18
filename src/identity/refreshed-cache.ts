/** Caches rows of tenants, and reads them again when they have changed. */
import { resync } from '../database/executor.ts'
import { LruMap } from '../database/lru-map.ts'

interface CacheOptions<V> {
  maxSize: number
  /** The beginning of the announcement that a row has changed; its key follows. */
  changePrefix: string
  /** @returns `null` for a row that does not exist */
  read: (tenantId: string, key: string) => Promise<V | null>
}

interface Entry<V> {
  value: V
  tenantId: string
  /** The generation in which the value was read. */
  generation: number
}

export class RefreshedCache<V> {
  readonly #options: CacheOptions<V>
  /** Stale values stay until they are read again: requests in progress need them. */
  readonly #entries: LruMap<string, Entry<V>>
  readonly #loading = new Map<string, Promise<void>>()
  /** Grows when announcements of changes may have been lost: values of an earlier generation are read again. */
  #generation = 0

  constructor(options: CacheOptions<V>) {
    this.#options = options
    this.#entries = new LruMap(options.maxSize)
  }

  /** @returns `undefined` for a row that is not cached, or does not exist */
  peek(key: string): V | undefined {
    return this.#entries.peek(key)?.value
  }

  knows(key: string): boolean {
    return !this.#loading.has(key) && this.#entries.peek(key)?.generation === this.#generation
  }

  /** @returns `null` when the row is known, which is the usual case @throws DatabaseUnavailable */
  load(tenantId: string, key: string): Promise<void> | null {
    if (this.knows(key)) return null
    return this.#loading.get(key) ?? this.#read(tenantId, key)
  }

  /** Resolves when the change is applied. */
  async invalidate(change: string): Promise<void> {
    const { changePrefix } = this.#options
    if (change === resync) this.#generation++
    if (!change.startsWith(changePrefix)) return
    const key = change.slice(changePrefix.length)
    await this.#loading.get(key)?.catch(() => undefined) // it may have begun before the change
    const entry = this.#entries.peek(key)
    if (entry !== undefined) await this.#read(entry.tenantId, key)
  }

  #read(tenantId: string, key: string): Promise<void> {
    const reading = this.#readNow(tenantId, key).finally(() => {
      if (this.#loading.get(key) === reading) this.#loading.delete(key)
    })
    this.#loading.set(key, reading)
    return reading
  }

  async #readNow(tenantId: string, key: string): Promise<void> {
    const generation = this.#generation
    try {
      const value = await this.#options.read(tenantId, key)
      if (value === null) this.#entries.delete(key)
      else this.#entries.set(key, { value, tenantId, generation })
    } catch (error) {
      this.#entries.delete(key) // the cached row may grant what was revoked
      throw error
    }
  }
}
