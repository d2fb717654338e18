/** What every database offers to the layers above: one statement in, rows out. Rows look the same on both. */
export type Dialect = 'sqlite' | 'postgres'

export type Row = Record<string, unknown>

export interface Result {
  rows: Row[]
  /** Rows inserted, updated or deleted; 0 for a select. */
  affected: number
}

export interface Executor {
  readonly dialect: Dialect
  /** @param reusable the same text comes again with other parameters: worth keeping prepared */
  run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<Result>
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

export interface Database {
  readonly dialect: Dialect
  /** Runs statements outside any transaction. */
  readonly executor: Executor
  /**
   * Runs `work` in one transaction: all of it or nothing. `work` must not wait for anything but this
   * database, because on SQLite it holds the only writer.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>
  /** Runs `work` on one state of the database, however long it takes; it may only read. */
  snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** Calls `listener` for each announced change, also those of other processes, within a second. */
  onChange(listener: ChangeListener): void
  /** On SQLite: how long a transaction waits for a writer in another process. PostgreSQL has it in its statements. */
  waitAtMost?(ms: number): void
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

/** Somebody else holds the lock that this needs. */
export class DatabaseBusy extends DatabaseUnavailable {}
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
