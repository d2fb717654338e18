/**
 * What the workers know of a queue: pending work of one kind, such as deliveries, in one database. Each piece of
 * work has a key, such as its tenant, by which limits and due moments are kept.
 */
import type { Database } from '../../database/executor.ts'
import type { Tenant } from '../context.ts'
import type { DueIndex } from './due-index.ts'

export interface Queue {
  readonly name: string
  readonly dueIndex: DueIndex
  /** @returns every key with pending work, and when it is due, in Unix milliseconds */
  scan(database: Database): Promise<ReadonlyMap<string, number>>
  /**
   * Claims due work, as far as the limits permit, and begins it. A lease or a row lock keeps other instances from it.
   * @throws DatabaseUnavailable
   */
  poll(database: Database): Promise<Poll>
  /** Whether work that the limits held back can be claimed now. */
  canResume(): boolean
}

export interface Poll {
  /** The work that has begun. Each promise resolves when its outcome is recorded, and none rejects. */
  begun: readonly Promise<void>[]
  /** Whether the poll has written to the database. */
  hasWritten: boolean
  /** Whether more work can be claimed at once. */
  isMore: boolean
  /** Whether limits keep due work from being claimed now. */
  isHeldBack: boolean
}

export const nothingDue: Poll = { begun: [], hasWritten: false, isMore: false, isHeldBack: false }

/** A kind of work, which has a queue in each database. */
export interface QueueKind {
  readonly name: string
  /** The duration of a lease: work that an instance has left is due again within this time. */
  readonly leaseMs?: number
  /** Whether all such work is in the catalogue, and none in tenants' own databases. */
  readonly isInCatalogue?: boolean
  createQueue(relays: RelayRequests): Queue
  /** Begins no more work. */
  stop?(): void
  /** Ends the work in progress at once. */
  abort?(): void
  /** Called when all work has ended. */
  close?(): void
}

/** The workers of this process. Their queues share limits. */
export interface WorkerGroup {
  /** Reports that work has ended, so that work that limits held back may be claimed. */
  capacityFreed(): void
}

/** Requests that events about a tenant are copied ("relayed") from the catalogue to the tenant's own database. */
export interface RelayRequests {
  /** Called when the catalogue has undispatched events of the tenant. */
  relay(tenant: Tenant): void
}
