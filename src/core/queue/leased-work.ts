/**
 * What each leased queue implements: deliveries, jobs, mails. Each has its own statements, so that the database
 * plans each of them separately.
 */
import type { Database } from '../../database/executor.ts'
import type { RowKey } from '../../database/json-rows.ts'
import type { DueWork } from './due-key.ts'
import type { DueAt } from './key-scan.ts'
import type { QueueLimiter } from './permits.ts'
import type { RelayRequests } from './queue.ts'

/** A row that this instance works on. The row belongs to it while it has the lease. */
export interface LeasedRow extends RowKey {
  lease: string
}

/**
 * The statements of a queue decide when an attempt counts: in `claim`, which leases the row, or in `record`, which
 * writes its outcome.
 */
export interface LeasedWork<Work extends DueWork, Outcome> {
  /** The name of the queue. */
  readonly name: string
  /** How long work stays claimed after its instance has died: longer than an attempt, or extended meanwhile. */
  readonly leaseMs: number
  readonly limiter: QueueLimiter
  /** Whether all such work is in the catalogue, and none in tenants' own databases. */
  readonly isInCatalogue?: boolean
  /**
   * @returns every key with pending work, and when it is due, in Unix milliseconds. A key is the id of a tenant, or begins
   *   with it: deliveries have a key for each subscription.
   */
  scan(database: Database): Promise<ReadonlyMap<string, number>>
  /** Makes all leased work of the database due. */
  expireLeases(database: Database): Promise<void>
  /**
   * Tenants with new events, from which the claim makes work.
   * @param relays is told of each tenant whose events first have to be copied into its own database
   */
  tenantsToDispatch?(database: Database, relays: RelayRequests): Promise<readonly string[]>
  /**
   * Dispatches and claims in one transaction, see `claimInTransaction`: the rows are leased, or their locks keep other
   * instances from them.
   * @throws DatabaseUnavailable
   */
  claim(database: Database, claim: Claim): Promise<Claimed<Work>>
  /** Extends leases during work that may take longer than its lease. @returns the rows that were extended */
  extendLeases?(database: Database, leased: readonly LeasedRow[], until: string): Promise<readonly RowKey[]>
  /** Makes one attempt, outside of any transaction. @returns `null` if nothing is to be recorded */
  attempt(work: Work, attempt: RunningAttempt): Promise<Outcome | null>
  /** Writes outcomes in one transaction, except those whose lease was lost. @throws DatabaseUnavailable */
  record(database: Database, ended: readonly EndedAttempt<Work, Outcome>[]): Promise<NextDue[]>
  /** Identifies the work in the log. */
  describe(work: Work): object
  /** Releases what the claim has acquired for the work beside its permit. */
  release?(work: Work): void
  /**
   * Ends at once what attempts share, and `RunningAttempt.stopping` does not end: the queue of mails closes its
   * connections to the mail server.
   */
  abort?(): void
  /** Called when all attempts have ended. */
  close?(): void
}

export interface Claim {
  /** Keys that this instance believes to be due and that have permits. */
  keys: readonly string[]
  /** The tenants that `tenantsToDispatch` has found. */
  tenantIds: readonly string[]
  lease: string
  /** When the lease ends, as ISO 8601. */
  until: string
  now: string
}

export interface Claimed<Work> {
  /** The claimed work. Each piece has a permit of its key. */
  work: readonly Work[]
  /** When each key that was read is due next; `null` for a key without pending work. */
  nextDue: readonly DueAt[]
  /** Whether there may be more to dispatch. */
  isMore?: boolean
}

export interface RunningAttempt {
  database: Database
  lease: string
  startedAt: Date
  /** Aborted when the lease is lost: another instance may do the work. */
  ending: AbortController
  /** Aborted when a stop no longer waits for the attempt. */
  stopping: AbortSignal
}

export interface EndedAttempt<Work, Outcome> {
  /** The work as it was before the attempt. */
  work: Work
  lease: string
  startedAt: Date
  endedAt: Date
  outcome: Outcome
}

/** The key under which the work is attempted again, and when; `null` if it is not. */
export interface NextDue {
  key: string | null
  nextAt: string | null
}
