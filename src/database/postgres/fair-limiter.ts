/** Shares permits for connections fairly: an owner whose statements hang leaves permits to the others. */
import { DatabaseBusy } from '../executor.ts'

/** A tenant; `null`: the service. */
export type Owner = string | null
export type Kind = 'read' | 'write'

export interface LimiterOptions {
  permits: number
  /** Permits reserved for reads of the service, and as many for its writes. */
  reserve: number
  /** An owner gets another permit while it has fewer than this multiple of the free permits. */
  share: number
  maxWaiting: number
  maxWaitingPerOwner: number
  /** How long a caller waits for a permit before it is refused. */
  maxWaitMs: number
}

export interface PermitUsage {
  held: number
  waiting: number
  /** Since the start. */
  refused: number
}

interface Waiter {
  sinceTick: number
  resolve(permit: Permit): void
  reject(error: Error): void
}

/** The permits and the waiters of one owner. */
class Account {
  readonly owner: Owner
  readonly read = new Permit(this, 'read')
  readonly write = new Permit(this, 'write')

  constructor(owner: Owner) {
    this.owner = owner
  }

  get isIdle(): boolean {
    return this.read.isIdle && this.write.isIdle
  }
}

/** All permits of a kind that an owner holds are one object, so that acquiring allocates nothing. */
class Permit {
  readonly account: Account
  readonly kind: Kind
  held = 0
  /** The waiters, in the order of their arrival. */
  readonly waiters: Waiter[] = []

  constructor(account: Account, kind: Kind) {
    this.account = account
    this.kind = kind
  }

  get isIdle(): boolean {
    return this.held === 0 && this.waiters.length === 0
  }
}

export type { Permit }

/** One timer measures all waits in this number of steps. */
const ticksPerWait = 20
/** Above this number of accounts, those without permits and waiters are removed. */
const maxAccounts = 1000

export class FairLimiter {
  readonly #options: LimiterOptions
  readonly #accounts = new Map<Owner, Account>()
  /** Owners with waiters, in the order of their turns. */
  readonly #queue = new Set<Permit>()
  readonly #refused = { tenant: { read: 0, write: 0 }, service: { read: 0, write: 0 } }
  /** The number of free permits, without the reserve. */
  #free: number
  #waiting = 0
  #tick = 0
  #timer: NodeJS.Timeout | null = null

  constructor(options: LimiterOptions) {
    this.#options = options
    this.#free = options.permits - 2 * options.reserve
  }

  /**
   * Returns without waiting when the owner may have a permit now.
   * @throws DatabaseBusy after a long wait, or with too many waiters
   */
  acquire(owner: Owner, kind: Kind): Permit | Promise<Permit> {
    const permit = this.#account(owner)[kind]
    if (permit.waiters.length > 0 || !this.#mayTake(permit)) return this.#wait(permit)
    this.#take(permit)
    return permit
  }

  release(permit: Permit): void {
    if (permit.held > this.#reserveOf(permit)) this.#free++
    permit.held--
    if (this.#waiting > 0) this.#serve()
    if (this.#accounts.size > maxAccounts && permit.account.isIdle)
      this.#accounts.delete(permit.account.owner)
  }

  usage(of: 'tenant' | 'service', kind: Kind): PermitUsage {
    const usage = { held: 0, waiting: 0, refused: this.#refused[of][kind] }
    for (const account of this.#accounts.values()) {
      if ((account.owner === null) !== (of === 'service')) continue
      usage.held += account[kind].held
      usage.waiting += account[kind].waiters.length
    }
    return usage
  }

  #account(owner: Owner): Account {
    let account = this.#accounts.get(owner)
    if (account === undefined) {
      account = new Account(owner)
      this.#accounts.set(owner, account)
    }
    return account
  }

  #reserveOf({ account }: Permit): number {
    return account.owner === null ? this.#options.reserve : 0
  }

  /**
   * An owner may hold as many permits of a kind as are free: reads continue while writes hang, and vice versa. The last
   * permit is for an owner without one.
   */
  #mayTake(permit: Permit): boolean {
    if (permit.held < this.#reserveOf(permit)) return true
    const { read, write } = permit.account
    const free = this.#free
    const isFree = permit.held === 0 ? free > 0 : free > 1 && permit.held <= free
    return isFree && read.held + write.held < this.#options.share * free
  }

  #take(permit: Permit): void {
    if (permit.held >= this.#reserveOf(permit)) this.#free--
    permit.held++
  }

  #wait(permit: Permit): Promise<Permit> {
    const { maxWaiting, maxWaitingPerOwner } = this.#options
    const { read, write } = permit.account
    if (this.#waiting >= maxWaiting || read.waiters.length + write.waiters.length >= maxWaitingPerOwner) {
      return Promise.reject(this.#refuse(permit, 'Too many requests are waiting for the database.'))
    }
    this.#waiting++
    this.#queue.add(permit)
    this.#timer ??= setInterval(() => this.#expire(), this.#options.maxWaitMs / ticksPerWait)
    return new Promise((resolve, reject) => {
      permit.waiters.push({ sinceTick: this.#tick, resolve, reject })
    })
  }

  /** Serves one waiter of each owner in turn, while any owner may have a permit. */
  #serve(): void {
    for (const permit of this.#queue) {
      if (!this.#mayTake(permit)) continue
      this.#take(permit)
      const waiter = this.#next(permit)
      // The iteration reaches this permit again after all others in the queue.
      if (permit.waiters.length > 0) this.#queue.add(permit)
      waiter?.resolve(permit)
    }
  }

  /** Removes the first waiter from the queue. */
  #next(permit: Permit): Waiter | undefined {
    const waiter = permit.waiters.shift()
    this.#queue.delete(permit)
    this.#waiting--
    if (this.#waiting === 0 && this.#timer !== null) {
      clearInterval(this.#timer)
      this.#timer = null
    }
    return waiter
  }

  #expire(): void {
    this.#tick++
    for (const permit of [...this.#queue]) {
      while ((permit.waiters[0]?.sinceTick ?? this.#tick) < this.#tick - ticksPerWait) {
        const error = this.#refuse(permit, 'All connections that the tenant may have are in use.')
        this.#next(permit)?.reject(error)
      }
      if (permit.waiters.length > 0) this.#queue.add(permit)
    }
  }

  #refuse({ account, kind }: Permit, text: string): DatabaseBusy {
    this.#refused[account.owner === null ? 'service' : 'tenant'][kind]++
    return new DatabaseBusy(text)
  }
}
