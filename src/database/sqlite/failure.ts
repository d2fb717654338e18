import {
  ConstraintViolation,
  DatabaseBusy,
  DatabaseUnavailable,
  TenantElsewhere,
  tenantElsewhere,
} from '../executor.ts'

/** Result codes: https://www.sqlite.org/rescode.html */
const unique = new Set([2067, 1555])
const foreignKey = new Set([787, 1811])
const constraint = 19
const busy = 5
/** LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB */
const unavailable = new Set([6, 8, 10, 11, 13, 14, 26])

/** CORRUPT, NOTADB */
const damaged = new Set([11, 26])

/** Whether the file is not what SQLite has written. */
export function tellsOfDamage(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && damaged.has(Number(error.errcode) & 255)
}

/** Turns an error of node:sqlite into the ones that both databases share; anything else passes. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error
  const code = error.errcode
  if (error.message === tenantElsewhere) return new TenantElsewhere(error)
  if (unique.has(code)) return new ConstraintViolation('unique', error.message, error)
  if (foreignKey.has(code)) return new ConstraintViolation('foreignKey', error.message, error)
  if ((code & 255) === constraint) return new ConstraintViolation('other', error.message, error)
  if ((code & 255) === busy) return new DatabaseBusy(error.message, error)
  if (unavailable.has(code & 255)) return new DatabaseUnavailable(error.message, error)
  return error
}
