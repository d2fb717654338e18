/** What a worker serves: work of one kind that waits in one database, each piece of it under a key. */
import type { Database } from '../../database/executor.ts'
import type { Tenant } from '../context.ts'
import type { DueIndex } from './due-index.ts'

export interface Queue {
  readonly dueIndex: DueIndex
  /** @returns every key under which something waits, and when it is due, in milliseconds of Unix time */
  walk(database: Database): Promise<ReadonlyMap<string, number>>
  /**
   * Claims what is due, as far as the limits permit, and begins the work. A lease or a row lock keeps others from it.
   * @throws DatabaseUnavailable
   */
  pass(database: Database): Promise<Pass>
  /** Whether something that the limits held back can be claimed now. */
  canResume(): boolean
}

export interface Pass {
  /** The work that has begun. Each promise resolves when its outcome is recorded, and none rejects. */
  begun: readonly Promise<void>[]
  /** Whether it has written to the database. */
  hasWritten: boolean
  /** More can be claimed at once. */
  isMore: boolean
  /** Something is due that the limits hold back. */
  isHeldBack: boolean
}

export const nothingDue: Pass = { begun: [], hasWritten: false, isMore: false, isHeldBack: false }

/** A kind of work, which has a queue in each database. */
export interface QueueKind {
  readonly name: string
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
  /** Work has ended, so that something may be claimed that the limits held back. */
  capacityFreed(): void
}

/** Takes what waits in the catalogue for tenants whose queues are in a database of their own. */
export interface RelayRequests {
  /** Events of the tenant wait in the catalogue. */
  relay(tenant: Tenant): void
}
