/** One bound on the connections to many databases: idle ones are closed for others, and who waits has a turn. */
import { DatabaseUnavailable } from '../executor.ts'

export interface BudgetOptions {
  /** Connections in all, idle ones included. */
  most: number
  /** Who has waited for so long is refused. */
  waitMs: number
}

/** The connections to one database, as the budget sees them. */
export interface BudgetMember<T> {
  /** Most connections to it. */
  readonly most: number
  readonly idleCount: number
  takeIdle(): T
  /** Closes the one that has been idle longest; `closed` tells when it is. */
  closeIdle(): void
}

interface Account {
  /** Being opened, in use, idle, or being closed. */
  held: number
  lastUsedAtMs: number
}

interface Waiter<T> {
  line: BudgetMember<T>
  sinceMs: number
  /** @param idle one that is there; `null`: one may be opened */
  serve(idle: T | null): void
}

/** A connection stays with its database for those who wait there, unless somebody else has waited for so long. */
const migrationLockWaitMs = 50

export class ConnectionBudget<T> {
  readonly #options: BudgetOptions
  readonly #accounts = new Map<BudgetMember<T>, Account>()
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiter<T>>()
  #held = 0
  /** Idle ones that are being closed, so that somebody can open one. */
  #closing = 0

  constructor(options: BudgetOptions) {
    this.#options = options
  }

  /** Being opened, in use, idle, or being closed. */
  get open(): number {
    return this.#held
  }

  get idle(): number {
    return [...this.#accounts.keys()].reduce((sum, { idleCount }) => sum + idleCount, 0)
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * @returns an idle connection; `null` when one may be opened, of which `closed` has to tell the end
   * @throws DatabaseUnavailable when there is none in time
   */
  take(line: BudgetMember<T>): T | Promise<T | null> {
    if (this.#waiting.size === 0 && line.idleCount > 0) return line.takeIdle()
    const { promise, resolve, reject } = Promise.withResolvers<T | null>()
    const waiter: Waiter<T> = {
      line,
      sinceMs: performance.now(),
      serve: (idle) => {
        clearTimeout(timer)
        this.#waiting.delete(waiter)
        resolve(idle)
      },
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(waiter)
      reject(new DatabaseUnavailable('All connections to the databases of tenants are in use.'))
    }, this.#options.waitMs)
    this.#waiting.add(waiter)
    this.#serve()
    return promise
  }

  /** For a connection that opens and closes by itself while `work` runs. @throws DatabaseUnavailable */
  async during<R>(work: () => Promise<R>): Promise<R> {
    const none = (): never => {
      throw new Error('No connection is idle.')
    }
    const line: BudgetMember<T> = { most: 1, idleCount: 0, takeIdle: none, closeIdle: none }
    await this.take(line)
    try {
      return await work()
    } finally {
      this.closed(line, { forOthers: false })
    }
  }

  /** To be called when the line has one idle connection more. */
  released(line: BudgetMember<T>): void {
    this.#account(line).lastUsedAtMs = performance.now()
    this.#serve()
  }

  /** To be called when one of its connections has gone, or could not be opened. */
  closed(line: BudgetMember<T>, { forOthers }: { forOthers: boolean }): void {
    const account = this.#account(line)
    account.held--
    this.#held--
    if (forOthers) this.#closing--
    if (account.held === 0) this.#accounts.delete(line)
    this.#serve()
  }

  #serve(): void {
    const early = performance.now() - migrationLockWaitMs
    let wanted = 0
    for (const waiter of this.#waiting) if (waiter.sinceMs <= early) wanted = this.#serveOne(waiter, wanted)
    for (const waiter of this.#waiting) if (this.#mayKeep(waiter)) waiter.serve(waiter.line.takeIdle())
    for (const waiter of this.#waiting) if (waiter.sinceMs > early) wanted = this.#serveOne(waiter, wanted)
  }

  /** @param wanted idle connections that have to be closed for those before @returns the same, this one included */
  #serveOne(waiter: Waiter<T>, wanted: number): number {
    const { line } = waiter
    if (line.idleCount > 0) waiter.serve(line.takeIdle())
    else if (!this.#mayHaveMore(line)) return wanted
    else if (this.#held < this.#options.most) {
      this.#account(line).held++
      this.#held++
      waiter.serve(null)
    } else {
      if (wanted === this.#closing) this.#closeLeastRecentlyUsed()
      return wanted + 1
    }
    return wanted
  }

  #mayKeep({ line }: Waiter<T>): boolean {
    return line.idleCount > 0 && this.#account(line).held <= this.#share()
  }

  #mayHaveMore(line: BudgetMember<T>): boolean {
    const held = this.#accounts.get(line)?.held ?? 0
    return held < Math.min(line.most, this.#share())
  }

  /** What one database may have of all: never more than half, and less while others are used as well. */
  #share(): number {
    const used = [...this.#accounts].filter(([line, { held }]) => held > line.idleCount)
    const lines = new Set([...used.map(([line]) => line), ...[...this.#waiting].map(({ line }) => line)])
    return Math.ceil(this.#options.most / Math.max(2, lines.size))
  }

  #closeLeastRecentlyUsed(): void {
    let oldest: [BudgetMember<T>, Account] | null = null
    for (const entry of this.#accounts) {
      if (entry[0].idleCount > 0 && !(oldest !== null && oldest[1].lastUsedAtMs <= entry[1].lastUsedAtMs))
        oldest = entry
    }
    if (oldest === null) return
    this.#closing++
    oldest[0].closeIdle()
  }

  #account(line: BudgetMember<T>): Account {
    let account = this.#accounts.get(line)
    if (account === undefined) {
      account = { held: 0, lastUsedAtMs: performance.now() }
      this.#accounts.set(line, account)
    }
    return account
  }
}
