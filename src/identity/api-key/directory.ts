/** Caches API keys by their digests, so that a request needs no query for its key. */
import type { InstallationData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { LruMap } from '../../database/lru-map.ts'
import { keyChangePrefix } from './change.ts'
import { GuessLimiter } from './guess-limiter.ts'
import { type KnownKey, type KnownKeyParts, toKnownKey } from './known-key.ts'
import { findApiKeyByDigest } from './sql.ts'
import { ApiKeyUse } from './use.ts'

const maxCachedKeys = 20_000
/** The most cached digests of keys that do not exist, such as revoked keys that are still sent. */
const maxUnknownKeys = 10_000

export class ApiKeyDirectory {
  readonly use = new ApiKeyUse()
  readonly #catalogue: InstallationData
  readonly #parts: KnownKeyParts
  readonly #guesses = new GuessLimiter()
  readonly #keys = new LruMap<string, KnownKey>(maxCachedKeys)
  readonly #unknown = new LruMap<string, true>(maxUnknownKeys)
  /** The reads in progress: simultaneous requests with one key share a query. */
  readonly #loading = new Map<string, Promise<KnownKey | null>>()
  /** Grows with each announced change: a key that was read before the change is not cached. */
  #generation = 0

  constructor(catalogue: InstallationData, parts: KnownKeyParts) {
    this.#catalogue = catalogue
    this.#parts = parts
  }

  /** @returns `undefined` for a key that is not cached */
  peek(digest: string): KnownKey | undefined {
    return this.#keys.peek(digest)
  }

  /**
   * @param network of the client
   * @throws ServiceError `tooManyRequests` for a network that has tried many unknown keys; DatabaseUnavailable
   */
  load(digest: string, network: string): KnownKey | null | Promise<KnownKey | null> {
    if (this.#unknown.peek(digest) !== undefined) return null
    return this.#loading.get(digest) ?? this.#read(digest, network)
  }

  invalidate(change: string): void {
    if (change === resync) {
      this.#generation++
      this.#keys.clear()
      this.#unknown.clear()
    } else if (change.startsWith(keyChangePrefix)) {
      this.#generation++
      this.#keys.delete(change.slice(keyChangePrefix.length))
    }
  }

  #read(digest: string, network: string): Promise<KnownKey | null> {
    const uncount = this.#guesses.count(network)
    const reading = this.#readNow(digest).finally(() => this.#loading.delete(digest))
    this.#loading.set(digest, reading)
    const settle = (key?: KnownKey | null): void => {
      if (key !== null) uncount() // only an unknown key counts as a guess
    }
    reading.then(settle, () => settle())
    return reading
  }

  async #readNow(digest: string): Promise<KnownKey | null> {
    const generation = this.#generation
    const row = await findApiKeyByDigest(this.#catalogue, digest)
    const key = row === null ? null : toKnownKey(row, this.#parts)
    if (generation !== this.#generation) return key
    if (key === null) this.#unknown.set(digest, true)
    else this.#keys.set(digest, key)
    return key
  }
}
