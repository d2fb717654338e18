/** The interface that SQLite and PostgreSQL are used by, and the errors of both. Rows have the same form on both. */

export type Dialect = 'sqlite' | 'postgres'

export type Row = Record<string, unknown>

export interface StatementResult {
  rows: Row[]
  /** Rows inserted, updated or deleted; 0 for a select, and on SQLite for a change with RETURNING. */
  affected: number
  /** On SQLite: whether the statement has called `note()`. */
  isNoted?: boolean
  /** On PostgreSQL: from the request to the end of its answer, without the wait for a connection. */
  elapsedMs?: number
}

export interface Executor {
  readonly dialect: Dialect
  /** @param reusable the statement will be run again with other parameters: the database keeps it prepared */
  run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<StatementResult>
  /**
   * In a transaction on PostgreSQL: sends the statement with the next one or the COMMIT, without its own round trip. If
   * it fails, the next statement or the COMMIT throws its error.
   * @param answered receives the result before the caller gets the result of the next statement or of the commit
   */
  defer?(
    sql: string,
    parameters: readonly unknown[],
    reusable: boolean,
    answered?: (result: StatementResult) => void,
  ): void
}

/** The remaining database time of an operation, for all its scans together. */
export interface TimeAllowance {
  leftMs: number
}

export interface ScanOptions {
  /** The tenant that reads: scans of different owners take turns. */
  owner: string
  /** The scan subtracts the time that it spends in the database, without the time that it waits. */
  time: TimeAllowance
  /** The maximum size of a row, if known. It bounds the rows of a batch. */
  maxRowBytes?: number
}

export interface Transaction extends Executor {
  /** Notifies every instance of the service, including this one, after the commit. */
  announce(change: string): Promise<void>
  /** Calls the listener in this process when the commit is durable; never if it fails. */
  afterCommit(listener: () => void): void
}

/** @param change the text of `Transaction.announce`, or `resync` */
export type ChangeListener = (change: string) => void
/** Tells listeners that changes may have been lost: they drop what they have cached. */
export const resync = 'resync'

export interface TransactionOptions {
  /** The tenant. Its transactions have the time-out of a request, and share connections with those of other tenants. */
  owner?: string
  /** On SQLite: no foreign key is enforced. The transaction has a commit of its own. */
  withoutForeignKeys?: boolean
}

/** The use of the connections to one database, by user and purpose. */
export interface ConnectionUsage {
  user: 'tenant' | 'service'
  use: 'read' | 'write' | 'scan'
  held: number
  waiting: number
  /** Since the start. */
  refused: number
}

/** Which database it is: see `database-identity.ts`. */
export interface DatabaseIdentity {
  /** A random UUID. */
  id: string
  /** The id of the catalogue whose installation has made it. */
  installation: string
  /** Grows whenever a tenant's database is opened or closed. One that was restored from an older copy is behind. */
  generation: number
}

export interface Database extends AsyncDisposable {
  readonly dialect: Dialect
  /** Runs statements of the service itself, outside any transaction. */
  readonly executor: Executor
  /** Runs statements for a tenant: owners take turns, and none may use all connections. */
  executorFor(owner: string): Executor
  /** Runs statements separately from all others, to check whether the database responds. */
  readonly probe: Executor
  /**
   * Runs `work` in one transaction. `work` must not wait for anything but this database, because on SQLite it holds the
   * only writer.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs `work`, which only reads, on one snapshot of the database, however long it takes. */
  snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /**
   * Reads rows that no index bounds, in batches and without delaying other reads. It ends when its reader stops.
   * @throws StatementTimedOut without remaining time, DatabaseBusy when too many scans wait
   */
  scan(sql: string, parameters: readonly unknown[], options: ScanOptions): AsyncIterable<Row[]>
  /**
   * Calls `listener` for each announced change, also of other processes, within a second. The listener handles its own
   * failures.
   */
  onChange(listener: ChangeListener): void
  /** On PostgreSQL: how many connections are in use and waited for. */
  connectionUsage?(): ConnectionUsage[]
  /** On SQLite: how long a transaction waits for a writer in another process. PostgreSQL has `lock_timeout`. */
  setLockWait?(ms: number): void
  /** On SQLite: from now on commits are synced to the disk without blocking this thread. */
  syncOffThread?(): Promise<void>
  /** On SQLite: the number of rows that this process has changed since it opened the database. */
  countChanges?(): number
  /** On PostgreSQL: from now on, a connection to a database of another identity, or an older state, is refused. */
  requireIdentity?(identity: DatabaseIdentity): void
  /** Checks the database itself, without any cache. @throws DatabaseUnavailable unless it can be read and written */
  check(): Promise<void>
  /** Whether damage was found since the database was opened. */
  readonly isDamaged: boolean
  /** Whether its file, or the database of its name, was found to be missing or replaced since it was opened. */
  readonly isLost?: boolean
  close(): Promise<void>
}

/** A constraint refused a row. `target` names the constraint or its columns. */
export class ConstraintViolation extends Error {
  readonly rule: 'unique' | 'foreignKey' | 'other'
  readonly target: string

  constructor(rule: ConstraintViolation['rule'], target: string, cause: unknown) {
    super(`${rule} constraint violated: ${target}`, { cause })
    this.rule = rule
    this.target = target
  }
}

/** The database cannot be reached, is full, or was busy for too long. A later attempt may succeed. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

/** The statement exceeded its time limit. */
export class StatementTimedOut extends DatabaseUnavailable {}

/** The file is corrupt. Only a backup helps. */
export class DatabaseDamaged extends DatabaseUnavailable {}

/** How a database differs from the one that the catalogue knows: `foreign` is another one, `stale` an older copy. */
export type Loss = 'missing' | 'foreign' | 'stale'

/** The database is not there, or another is in its place. Nothing is served from it, and none is created. */
export class DatabaseLost extends DatabaseUnavailable {
  readonly loss: Loss

  constructor(loss: Loss, message: string, cause?: unknown) {
    super(message, cause)
    this.loss = loss
  }
}

/** Another holder has the lock, or too many statements wait. */
export class DatabaseBusy extends DatabaseUnavailable {}

/** Another service, in this process or another one, has opened the data folder or a database in it. */
export class AlreadyServed extends DatabaseBusy {}

/** The tenant was moved to another database, and a write here would be lost. The next attempt reaches that database. */
export class TenantMoved extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super(tenantMovedMessage, cause)
  }
}

/** The message of the triggers of a moved tenant. On SQLite nothing else identifies their error. */
export const tenantMovedMessage = 'The rows of this tenant are in another database.'

/** Whether a row with this value of the column exists already. */
export function isDuplicate(error: unknown, column: string): boolean {
  return error instanceof ConstraintViolation && error.rule === 'unique' && error.target.includes(column)
}
