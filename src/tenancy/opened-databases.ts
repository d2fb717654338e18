/**
 * The open databases of tenants: how many are open, who uses them, and when they are closed. Each has a generation, a
 * number that grows with each opening and closing, by which an older copy of it is recognized (`own-database.ts`).
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../core/context.ts'
import type { Lease } from '../core/tenant/database-state.ts'
import type { Database, DatabaseIdentity } from '../database/executor.ts'
import { type DatabaseTarget, fileIdentity, locationOf } from '../database/target.ts'
import { OpenFiles } from './open-files.ts'
import { noteClosing, type OwnDatabase } from './own-database.ts'
import type { PreparedDatabase } from './prepare.ts'

/** The wait for a free file when all open files are in use. */
const maxOpenWaitMs = 5000
/** The most time to record a generation before a close: a server that does not answer must not delay a stop. */
const maxNotingMs = 3000

export interface Opened {
  location: string
  kind: DatabaseTarget['kind']
  ready: Promise<Database>
  /** The database; `null` until it is migrated. */
  database: Database | null
  identity: DatabaseIdentity | null
  /** The number of changes when it was opened (`Database.countChanges`): without changes, a close records nothing. */
  changes: number | undefined
  /** The identity of its file, independent of the name; empty for a database on a server. */
  file: string
  /** The case-folded ids of tenants whose database it is, as the catalogue says. */
  tenants: Set<string>
  /** The number of leases that are not released. */
  users: number
  /**
   * Whether its file was found to be deleted or replaced. It is closed when the last lease is released. Until then no
   * database is opened in its place, because SQLite would confuse the logs of both.
   */
  isGone: boolean
  /** The close, once it has begun: a database is closed once. */
  closing: Promise<void> | null
}

export interface OpenedDatabasesOptions {
  /** The database of the catalogue. */
  shared: Database
  /** Idle databases beyond this number are closed, the least recently used first. */
  capacity: number
  /** The limit for SQLite files. Opening another one waits until one is closed. */
  maxOpenFiles: number
  log: Logger
}

export class OpenedDatabases {
  readonly #options: OpenedDatabasesOptions
  /** The databases by location, the least recently used first. Tenants in one file share one writer. */
  readonly #all = new Map<string, Opened>()
  /** The closes in progress, by location: a stop waits for them, and so does the next opening at a location. */
  readonly #closing = new Map<string, Promise<void>>()
  readonly #files: OpenFiles
  #closed = false

  constructor(options: OpenedDatabasesOptions) {
    this.#options = options
    this.#files = new OpenFiles(options.maxOpenFiles, () => this.#closeIdleFile(), maxOpenWaitMs)
  }

  get(location: string): Opened | undefined {
    return this.#all.get(location)
  }

  open(own: OwnDatabase, prepare: () => Promise<PreparedDatabase>): Opened {
    if (this.#closed) throw new Error('The service is stopping.')
    const location = locationOf(own.target)
    const { kind } = own.target
    const begin = () => (kind === 'sqlite' ? this.#files.open(prepare) : prepare())
    const closing = this.#closing.get(location)
    const opening = closing === undefined ? begin() : closing.then(begin)
    const opened: Opened = {
      kind,
      location,
      ready: opening.then(({ database }) => database),
      database: null,
      identity: null,
      changes: undefined,
      file: '',
      tenants: new Set([own.key]),
      users: 0,
      isGone: false,
      closing: null,
    }
    this.#all.set(location, opened)
    opening.then(
      ({ database, identity }) => {
        opened.database = database
        opened.identity = identity
        opened.changes = database.countChanges?.()
        opened.file = fileOf(opened)
      },
      () => this.#all.delete(location),
    )
    return opened
  }

  /** The wait counts as a use, so that the database is not closed between opening and first use. */
  async leaseWhenReady(opened: Opened): Promise<Lease> {
    opened.users++
    try {
      return this.lease(opened, await opened.ready)
    } finally {
      opened.users--
    }
  }

  lease(opened: Opened, database: Database): Lease {
    opened.users++
    if (this.#all.delete(opened.location)) this.#all.set(opened.location, opened)
    let isLeased = true
    return {
      database,
      release: () => {
        if (!isLeased) return
        isLeased = false
        opened.users--
        this.#closeGone(opened)
        this.#closeIdle()
      },
    }
  }

  /**
   * Closes databases whose file was deleted or replaced: an open file keeps its disk space.
   * @param some the databases to look at, all by default
   */
  discardReplaced(some: Iterable<Opened> = this.#all.values()): void {
    for (const opened of [...some]) {
      const { database } = opened
      if (database === null) continue
      if (database.isLost === true || fileOf(opened) !== opened.file) this.discard(opened)
    }
  }

  /** Closes the database when its last lease is released. It is not leased again. */
  discard(opened: Opened): void {
    if (opened.isGone) return
    opened.isGone = true
    this.#closeGone(opened)
  }

  /** Closes all databases, and waits for those that are being closed. @throws the first error of a close */
  async close(): Promise<void> {
    this.#closed = true
    const all = [...this.#all.values()]
    this.#all.clear()
    const closing = all.map(async (opened) => {
      await opened.ready.catch(() => undefined)
      opened.closing ??= this.#end(opened)
      await opened.closing
    })
    const ends = await Promise.allSettled([...closing, ...this.#closing.values()])
    const failed = ends.find((end) => end.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  #closeGone(opened: Opened): void {
    if (opened.isGone && opened.users === 0) this.#close(opened)
  }

  #closeIdle(): void {
    let surplus = this.#all.size - this.#options.capacity
    for (const opened of this.#all.values()) {
      if (surplus <= 0) return
      if (this.#closeUnused(opened)) surplus--
    }
  }

  #closeIdleFile(): boolean {
    for (const opened of this.#all.values()) {
      if (opened.kind === 'sqlite' && this.#closeUnused(opened)) return true
    }
    return false
  }

  #closeUnused(opened: Opened): boolean {
    if (opened.users > 0 || opened.database === null || opened.isGone) return false
    this.#all.delete(opened.location)
    this.#close(opened)
    return true
  }

  #close(opened: Opened): void {
    if (opened.closing !== null) return
    const { kind, location } = opened
    opened.closing = this.#end(opened)
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'tenant database did not close cleanly')
      })
      .finally(() => {
        if (kind === 'sqlite') this.#files.closed()
        if (this.#all.get(location) === opened) this.#all.delete(location)
        this.#closing.delete(location)
      })
    this.#closing.set(location, opened.closing)
  }

  async #end(opened: Opened): Promise<void> {
    await this.#noteClosing(opened)
    await opened.database?.close()
  }

  /** Raises the generation, so that older copies are recognized. If that fails, such a copy may not be recognized. */
  async #noteClosing({ database, identity, changes, isGone }: Opened): Promise<void> {
    if (database === null || identity === null || isGone || isSuspect(database)) return
    const note = async (): Promise<void> => {
      if (changes !== undefined && database.countChanges?.() === changes) return
      await noteClosing(database, identity, this.#options.shared)
    }
    const noting = note().catch((error: unknown) => {
      this.#options.log.debug({ err: error }, 'closing of a tenant database not noted')
    })
    await Promise.race([noting, delay(maxNotingMs, undefined, { ref: false })])
  }
}

/** Whether the database has to be examined before its next use. */
export function isSuspect({ isDamaged, isLost }: Database): boolean {
  return isDamaged || isLost === true
}

function fileOf({ kind, location }: Pick<Opened, 'kind' | 'location'>): string {
  return kind === 'sqlite' ? fileIdentity(location) : ''
}
