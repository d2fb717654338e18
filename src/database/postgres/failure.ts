/** Translates the errors of PostgreSQL and of the driver `pg` into errors that are the same for both databases. */
import pg from 'pg'
import {
  ConstraintViolation,
  DatabaseBusy,
  DatabaseDamaged,
  DatabaseUnavailable,
  StatementTimedOut,
  TenantMoved,
} from '../executor.ts'
import { errorCode } from '../thrown.ts'

/**
 * What an error means. `fault`: a defect of this program, answered with 500. `unavailable`: a later attempt may
 * succeed, answered with 503. `session`: like `unavailable`, but all connections of the same age fail alike and are
 * replaced.
 */
type Meaning =
  | 'fault'
  | 'unavailable'
  | 'busy'
  | 'session'
  | 'timeout'
  | 'schema'
  | 'damaged'
  | ConstraintViolation['rule']

/** Our own code, which the triggers of a moved tenant raise. */
export const tenantMovedState = 'TM001'

/**
 * Every class of SQLSTATE, and codes whose meaning differs from their class:
 * https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
export const meanings: Readonly<Record<string, Meaning>> = {
  '00': 'fault', // success, which is not an error
  '01': 'fault', // warning
  '02': 'fault', // no data
  '03': 'fault', // SQL statement not yet complete
  '08': 'unavailable', // connection; poolers report their limits by it
  '09': 'fault', // triggered action
  '0A': 'fault', // feature not supported; but see `stalePlanRoutine`
  '0B': 'fault', // invalid transaction initiation
  '0F': 'fault', // locator
  '0L': 'fault', // invalid grantor
  '0P': 'fault', // invalid role specification
  '0Z': 'fault', // diagnostics
  '10': 'fault', // XQuery
  '20': 'fault', // case not found
  '21': 'fault', // cardinality
  '22': 'fault', // data: values were validated against their schemas before
  '23': 'other',
  '23001': 'foreignKey', // restrict
  '23503': 'foreignKey',
  '23505': 'unique',
  '24': 'fault', // cursor state
  '25': 'fault', // transaction state; 25P02 only follows an error that was ignored
  '25006': 'session', // read-only: a standby, or a server that was set read-only
  '25P03': 'unavailable', // idle in transaction for too long
  '25P04': 'timeout', // the transaction took too long
  '26': 'session', // statement name: a pooler has switched or reset the server connection
  '27': 'fault', // triggered data change
  '28': 'unavailable', // password or pg_hba.conf, which an operator changes
  '2B': 'fault', // dependent privileges
  '2D': 'fault', // transaction termination
  '2F': 'fault', // SQL routine
  '34': 'fault', // cursor name
  '38': 'fault', // external routine
  '39': 'fault', // its invocation
  '3B': 'fault', // savepoint
  '3D': 'unavailable', // no such database: dropped, or not created yet
  '3F': 'fault', // no such schema
  '40': 'unavailable', // serialization, deadlock
  '40002': 'other', // a constraint that failed at the COMMIT
  '42': 'fault', // syntax; also missing tables and columns, which no later attempt changes
  '42501': 'unavailable', // a privilege that was taken away
  '42P05': 'session', // the statement name exists: behind a pooler, of another client
  '44': 'fault', // WITH CHECK OPTION
  '53': 'unavailable', // disk, memory, connections
  '54': 'fault', // program limit: sizes and nesting are bounded before
  '54000': 'unavailable', // out of transaction numbers, or of room for notifications
  '55': 'unavailable', // object in use, database not accepting connections
  '55P02': 'fault', // a setting that no session may change
  '55P03': 'busy', // lock_timeout
  '55P04': 'fault', // an enum value that is younger than its transaction
  '57': 'unavailable', // shutdown, crash, start, database dropped
  '57014': 'timeout', // statement_timeout, or an administrator
  '58': 'unavailable', // input or output of the server
  '72': 'unavailable', // snapshot too old
  F0: 'unavailable', // configuration file of the server
  HV: 'unavailable', // a foreign server behind a table
  P0: 'fault', // PL/pgSQL: a trigger that is not ours
  XX: 'unavailable', // internal error of the server
  XX001: 'damaged', // data
  XX002: 'damaged', // index
}

/** The routine that reports a stale plan. Its message is in the server's language. */
const stalePlanRoutine = 'RevalidateCachedQuery'
/** Errors of an established connection; see `connect` for others. */
const network = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)/
const lostConnection =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|not queryable|Cannot use a pool/

/** Converts an error of `pg` into the errors that both databases share; other errors pass. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = errorCode(error)
  if (code === tenantMovedState) return new TenantMoved(error)
  switch (meaningOf(error)) {
    case 'unique':
    case 'foreignKey':
    case 'other':
      return violation(error, code)
    case 'timeout':
      return new StatementTimedOut('The statement took too long.', error)
    case 'busy':
      return new DatabaseBusy('Another transaction holds the lock.', error)
    case 'damaged':
      return new DatabaseDamaged('The database is damaged.', error)
    case 'session':
    case 'unavailable':
      return new DatabaseUnavailable(unavailableText(error), error)
    default:
      return error
  }
}

/** Whether all connections of the same age have to be replaced, because their sessions fail alike. */
export function endsSessions(error: unknown): boolean {
  return error instanceof Error && meaningOf(error) === 'session'
}

/** Disk, memory or files of the server (classes 53 and 58): other statements may succeed while writes fail. */
export function isResourceFailure(error: unknown): boolean {
  return /^5[38]/.test(errorCode(error))
}

/** SQLSTATE of errors with which the server closes the connection: shutdown, idle or transaction time-out, protocol. */
const fatalCodes = /^(57P|25P0[34]|08)/

/** Whether the connection is unusable. An ordinary error of the server leaves it usable. */
export function endsConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || endsSessions(error)) return true
  // The severity may be in the server's language, in which an ordinary error is `FEHLER`: there the code tells.
  const { code = '', severity = 'FATAL' } = error
  return severity === 'FATAL' || severity === 'PANIC' || fatalCodes.test(code)
}

function unavailableText(error: Error): string {
  return error instanceof pg.DatabaseError ? 'PostgreSQL refuses this now.' : 'PostgreSQL cannot be reached.'
}

function meaningOf(error: Error): Meaning {
  const code = errorCode(error)
  if (network.test(code) || lostConnection.test(error.message)) return 'unavailable'
  if (code === '0A000' && 'routine' in error && error.routine === stalePlanRoutine) return 'session'
  return meanings[code] ?? meanings[code.slice(0, 2)] ?? 'fault'
}

function violation(error: Error, code: string): ConstraintViolation {
  const target = 'constraint' in error ? String(error.constraint) : error.message
  const meaning = meanings[code]
  return new ConstraintViolation(
    meaning === 'unique' || meaning === 'foreignKey' ? meaning : 'other',
    target,
    error,
  )
}
