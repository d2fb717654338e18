/** A migration: statements with a name and a number. Once applied anywhere, it never changes. */
import type { Dialect } from './executor.ts'

/** The column types of one database, by content. */
export interface ColumnTypes {
  id: string
  text: string
  /** Text that sorts and compares by bytes, as SQLite does by default. */
  key: string
  timestamp: string
  /** A day without a time. */
  date: string
  boolean: string
  price: string
  bytes: string
  integer: string
  /** JSON as text. */
  json: string
  /** The suffix of a table whose rows are read by primary key. */
  clustered: string
}

export interface Migration {
  /** Feature and number, e.g. `order-0001`; never changed once applied. */
  name: string
  /** `catalogue`: once for the service. `tenant`: in every database that holds tenants' rows. */
  database: 'catalogue' | 'tenant'
  statements(types: ColumnTypes, dialect: Dialect): string[]
  /**
   * Whether it replaces or drops tables on SQLite to which other tables refer. Foreign keys are off while it runs,
   * so that dropping a table deletes no row elsewhere, and are checked at its end.
   */
  replacesTables?: boolean
  /**
   * Whether it changes how text is folded for comparison without case. The service then folds all stored texts
   * again.
   */
  foldsAgain?: boolean
  /**
   * The oldest version of Tenantry that works on the migrated tables: an older one refuses to start. Every migration of
   * Tenantry states it. A migration of an application has none, and programs that do not know it start all the same.
   */
  oldestVersion?: string
}

export const columnTypes: Record<Dialect, ColumnTypes> = {
  sqlite: {
    id: 'TEXT',
    text: 'TEXT',
    key: 'TEXT',
    timestamp: 'TEXT',
    date: 'TEXT',
    boolean: 'BOOLEAN',
    price: 'DECIMAL(15,4)',
    bytes: 'BLOB',
    integer: 'INTEGER',
    json: 'TEXT',
    clustered: 'WITHOUT ROWID',
  },
  postgres: {
    id: 'uuid',
    text: 'text',
    key: 'text COLLATE "C"',
    timestamp: 'timestamptz',
    date: 'date',
    boolean: 'boolean',
    price: 'numeric(15,4)',
    bytes: 'bytea',
    integer: 'bigint',
    json: 'text',
    clustered: '',
  },
}

/** A migration failed: the message names it. The database error is the cause, and part of the message. */
export class MigrationFailed extends Error {
  constructor(name: string, cause: unknown) {
    super(`Migration ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** The tables of a database are not those that this program may migrate. Nothing was changed. */
export class MigrationRefused extends Error {
  constructor(problems: readonly string[]) {
    super(`The database is not migrated, and nothing was changed. ${problems.join(' ')}`)
  }
}
