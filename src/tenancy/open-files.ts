/** Limits the open SQLite files of tenants, so that file descriptors are left for connections. */
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../core/context.ts'
import { DatabaseUnavailable } from '../database/executor.ts'
import type { Limit } from '../database/limit.ts'

/**
 * Two connections to the file and to its write-ahead log, the index of the log, the
 * log for syncs, and the lock file.
 */
const descriptorsPerFile = 7
/** Descriptors of the process itself, including the catalogue. */
const ownDescriptors = 40
/** The pause between two checks whether a file was closed. */
const pollMs = 10

export const openFileLimit: Limit = {
  name: 'open databases of tenants (SQLite)',
  kind: 'permits',
  bounds: { instance: 'the setting, at most about a fourteenth of the open files' },
  changedBy: ['OPEN_TENANT_DATABASES'],
  beyond:
    'an unused database is closed; without one the request waits, after 5 seconds 503 with `Retry-After`',
  page: 'operations.md#sizing',
}

/**
 * Leaves half of the descriptors for connections of clients.
 * @param limit of descriptors; `null` if it is unknown
 * @returns at least 1
 */
export function maxOpenFiles(limit: number | null): number {
  if (limit === null) return Number.POSITIVE_INFINITY
  return Math.max(1, Math.floor((limit / 2 - ownDescriptors) / descriptorsPerFile))
}

/** @param wanted the setting OPEN_TENANT_DATABASES */
export function logOpenFiles(log: Logger, limit: number | null, wanted: number): void {
  const max = maxOpenFiles(limit)
  const detail = { descriptors: limit, openTenantFiles: max }
  if (max < wanted)
    log.warn(detail, 'limit of descriptors allows fewer open files than OPEN_TENANT_DATABASES')
  else if (limit !== null) log.info(detail, 'open files bounded by the limit of descriptors')
}

export class OpenFiles {
  readonly #max: number
  readonly #closeIdle: () => boolean
  readonly #waitMs: number
  #count = 0

  /** @param closeIdle begins to close an unused file @returns whether there was one */
  constructor(max: number, closeIdle: () => boolean, waitMs: number) {
    this.#max = max
    this.#closeIdle = closeIdle
    this.#waitMs = waitMs
  }

  /**
   * Waits until other files are closed, and retries if descriptors run out nevertheless.
   * @throws DatabaseUnavailable
   */
  async open<T>(open: () => Promise<T>): Promise<T> {
    const untilMs = performance.now() + this.#waitMs
    for (;;) {
      await this.#waitForRoom(untilMs)
      this.#count++
      try {
        return await open()
      } catch (error) {
        this.#count--
        if (hasDescriptors() || performance.now() > untilMs) throw error
        this.#closeIdle()
        await delay(pollMs)
      }
    }
  }

  /** Must be called when a file is closed. */
  closed(): void {
    this.#count--
  }

  async #waitForRoom(untilMs: number): Promise<void> {
    while (this.#count >= this.#max) {
      if (performance.now() > untilMs)
        throw new DatabaseUnavailable('The maximum number of tenants’ files is open and in use.')
      this.#closeIdle()
      await delay(pollMs)
    }
  }
}

/** Tries whether descriptors are left, because SQLite does not report why it cannot open a file. */
function hasDescriptors(): boolean {
  const opened: number[] = []
  try {
    for (let count = 0; count < descriptorsPerFile; count++) opened.push(openSync(devNull, 'r'))
    return true
  } catch {
    return false
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}
