/** What every database offers to the layers above: one statement in, rows out. Rows look the same on both. */
export type Dialect = 'sqlite' | 'postgres'

export type Row = Record<string, unknown>

export interface StatementResult {
  rows: Row[]
  /** Rows inserted, updated or deleted; 0 for a select. */
  affected: number
}

export interface Executor {
  readonly dialect: Dialect
  /** @param reusable the same text comes again with other parameters: worth keeping prepared */
  run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<StatementResult>
  /**
   * In a transaction on PostgreSQL: the statement is sent along with the next one or the COMMIT, without a round trip
   * of its own, and fails that one when it fails. Elsewhere there are no round trips to be saved.
   * @param answered receives the result before the caller gets that of the next statement, or of the commit
   */
  defer?(
    sql: string,
    parameters: readonly unknown[],
    reusable: boolean,
    answered?: (result: StatementResult) => void,
  ): void
}

/** Time in the database that is left to one operation, for all its scans together. */
export interface TimeAllowance {
  leftMs: number
}

export interface ScanOptions {
  /** The tenant it is for: scans of different owners take turns. */
  owner: string
  /** A scan takes from it what it spends in the database. Waiting for a turn, and its reader, cost nothing. */
  time: TimeAllowance
  /** Of a row, at most, where that is known: a batch is to have no more rows than can be held. */
  maxRowBytes?: number
}

export interface Transaction extends Executor {
  /** Tells every instance of the service, this one included, once the transaction is committed. */
  announce(change: string): Promise<void>
  /** Runs in this process after the commit is durable, and never when it fails. */
  afterCommit(listener: () => void): void
}

/** `resync`: notices may have been missed; drop whatever was remembered. */
export type ChangeListener = (change: string) => void
export const resync = 'resync'

export interface TransactionOptions {
  /** The tenant that asks. Its transactions are ended after the time-out of a request, and share with other tenants. */
  owner?: string
}

/** Of the connections to one database, by those who use them and what for. */
export interface ConnectionUsage {
  user: 'tenant' | 'service'
  use: 'read' | 'write' | 'scan'
  held: number
  waiting: number
  /** Since the start. */
  refused: number
}

export interface Database {
  readonly dialect: Dialect
  /** Runs statements of the service itself, outside any transaction. */
  readonly executor: Executor
  /** Runs statements for a tenant: those of different owners take turns, and none may use all connections. */
  executorFor(owner: string): Executor
  /** Runs statements apart from all others: for asking whether the database answers. */
  readonly probe: Executor
  /**
   * Runs `work` in one transaction: all of it or nothing. `work` must not wait for anything but this
   * database, because on SQLite it holds the only writer.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs `work` on one state of the database, however long it takes; it may only read. */
  snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /**
   * Reads rows that no index bounds, in batches and apart from other reads: nobody waits for it. It ends when its
   * reader stops.
   * @throws StatementTimedOut when no time is left, DatabaseBusy when too many wait
   */
  scan(sql: string, parameters: readonly unknown[], options: ScanOptions): AsyncIterable<Row[]>
  /**
   * Calls `listener` for each announced change, also those of other processes, within a second. A listener deals with
   * its own failures: nobody waits for it.
   */
  onChange(listener: ChangeListener): void
  /** On PostgreSQL: what is used of its connections. */
  connectionUsage?(): ConnectionUsage[]
  /** On SQLite: how long a transaction waits for a writer in another process. PostgreSQL has it in its statements. */
  setLockWait?(ms: number): void
  /** On SQLite: from now on this thread serves others while a commit is brought to the disk. */
  syncOffThread?(): Promise<void>
  /** Asks the database itself, past everything remembered. @throws DatabaseUnavailable unless it can be read and written */
  check(): Promise<void>
  /** Damage was found since it was opened. */
  readonly isDamaged: boolean
  close(): Promise<void>
}

/** A rule of the schema refused a row. `target` names the constraint or its columns. */
export class ConstraintViolation extends Error {
  readonly rule: 'unique' | 'foreignKey' | 'other'
  readonly target: string

  constructor(rule: ConstraintViolation['rule'], target: string, cause: unknown) {
    super(`${rule} constraint violated: ${target}`, { cause })
    this.rule = rule
    this.target = target
  }
}

/** The database cannot be reached, is full, or is busy for too long: worth another try later. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

/** It was given up after the longest time that a statement may take. */
export class StatementTimedOut extends DatabaseUnavailable {}

/** The file is not what the database has written: no other try helps, a backup does. */
export class DatabaseDamaged extends DatabaseUnavailable {}

/** Somebody else holds the lock that this needs, or too many ask at once. */
export class DatabaseBusy extends DatabaseUnavailable {}

/** Another service, in another process or in this one, has opened the data folder or a database in it. */
export class AlreadyServed extends DatabaseBusy {}

/** The tenant was moved to another database: what was written here would be lost. Worth another try, which goes there. */
export class TenantElsewhere extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super(tenantElsewhere, cause)
  }
}

/** What the triggers of a tenant that was moved say; they know no other way to be recognised on SQLite. */
export const tenantElsewhere = 'The rows of this tenant are in another database.'

/** Whether `error` says that a row with this column's value exists already. */
export function isDuplicate(error: unknown, column: string): boolean {
  return error instanceof ConstraintViolation && error.rule === 'unique' && error.target.includes(column)
}
