/** Translates the result codes of SQLite into the errors that both databases share. */
import {
  ConstraintViolation,
  DatabaseBusy,
  DatabaseDamaged,
  DatabaseUnavailable,
  TenantMoved,
  tenantMovedMessage,
} from '../executor.ts'

/**
 * `fault`: a defect of this program, answered with 500. `unavailable`: a later attempt may succeed. `busy`: another
 * connection has the lock. `damaged`: the file is corrupt. `constraint`: a row violates a constraint of its table.
 */
type Meaning = 'fault' | 'unavailable' | 'busy' | 'damaged' | 'constraint'

/** Every primary result code: https://www.sqlite.org/rescode.html */
const meanings: readonly [code: number, name: string, meaning: Meaning][] = [
  [1, 'ERROR', 'fault'], // wrong SQL, or a dropped table
  [2, 'INTERNAL', 'damaged'], // reported for files that were tampered with
  [3, 'PERM', 'unavailable'], // the file cannot have the requested mode
  [4, 'ABORT', 'unavailable'], // a rollback has ended the statement
  [5, 'BUSY', 'busy'],
  [6, 'LOCKED', 'busy'], // another statement of the connection is running
  [7, 'NOMEM', 'unavailable'],
  [8, 'READONLY', 'unavailable'], // file, folder or file system is read-only
  [9, 'INTERRUPT', 'unavailable'],
  [10, 'IOERR', 'unavailable'],
  [11, 'CORRUPT', 'damaged'],
  [12, 'NOTFOUND', 'fault'], // an unknown file control
  [13, 'FULL', 'unavailable'],
  [14, 'CANTOPEN', 'unavailable'], // no file, no permission, or no descriptor
  [15, 'PROTOCOL', 'busy'], // too many attempts to lock the journal
  [17, 'SCHEMA', 'unavailable'], // the schema changes faster than the statement can be prepared
  [18, 'TOOBIG', 'fault'], // bodies are bounded far below this limit
  [19, 'CONSTRAINT', 'constraint'],
  [20, 'MISMATCH', 'fault'], // a value of the wrong type for a row id
  [21, 'MISUSE', 'fault'],
  [22, 'NOLFS', 'unavailable'], // the file system takes no larger file
  [23, 'AUTH', 'fault'], // there is no authorizer
  [25, 'RANGE', 'fault'], // a parameter that the statement does not have
  [26, 'NOTADB', 'damaged'],
]
const meaningOf = new Map(meanings.map(([code, , meaning]) => [code, meaning]))

/** Extended result codes: SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const unique = new Set([2067, 1555])
/** SQLITE_CONSTRAINT_FOREIGNKEY, and SQLITE_CONSTRAINT_TRIGGER, with which `ON DELETE RESTRICT` refuses a deletion. */
const foreignKey = new Set([787, 1811])
/** Messages of Node.js: the database was closed while the caller waited. */
const closed = /^(database is not open|statement has been finalized)$/

/** Whether the file is corrupt. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && meaningOf.get(primary(error.errcode)) === 'damaged'
}

/** Whether a row or a value exceeds the limit of its connection. */
export function isTooBig(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 18 // SQLITE_TOOBIG
}

/** Converts an error of node:sqlite into the errors that both databases share; other errors pass. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (closed.test(error.message)) return new DatabaseUnavailable('The database is closed.', error)
  if (!('errcode' in error) || typeof error.errcode !== 'number') return error
  const { errcode, message } = error
  if (message === tenantMovedMessage) return new TenantMoved(error)
  switch (meaningOf.get(primary(errcode))) {
    case 'constraint':
      return new ConstraintViolation(ruleOf(errcode), message, error)
    case 'busy':
      return new DatabaseBusy(message, error)
    case 'damaged':
      return new DatabaseDamaged(message, error)
    case 'unavailable':
      return new DatabaseUnavailable(message, error)
    default:
      return error
  }
}

function ruleOf(errcode: number): ConstraintViolation['rule'] {
  if (unique.has(errcode)) return 'unique'
  return foreignKey.has(errcode) ? 'foreignKey' : 'other'
}

/** @returns the primary result code: the lower byte of an extended one */
function primary(errcode: unknown): number {
  return Number(errcode) & 255
}
