import { ConstraintViolation, DatabaseUnavailable, StatementTimedOut, TenantElsewhere } from '../executor.ts'

/** SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const rules = new Map<string, ConstraintViolation['rule']>([
  ['23505', 'unique'],
  ['23503', 'foreignKey'],
  ['23001', 'foreignKey'],
])
/** Connection, deadlock, resources, operator intervention, system error; password, unknown database; a lock. */
const unavailable = /^(08|40|53|57|58|28|3D|55P03)/
/** By statement_timeout, or by an administrator. */
const queryCanceled = '57014'
/** Of our own: what the triggers of a tenant that was moved raise. */
export const elsewhereState = 'TM001'
const network = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
const lostConnection =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|not queryable|Cannot use a pool/

/** Turns an error of `pg` into the ones that both databases share; anything else passes. */
export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === elsewhereState) return new TenantElsewhere(error)
  if (code === queryCanceled) return new StatementTimedOut('The statement took too long.', error)
  const rule = rules.get(code) ?? (code.startsWith('23') ? 'other' : undefined)
  if (rule !== undefined) {
    const target = 'constraint' in error ? String(error.constraint) : error.message
    return new ConstraintViolation(rule, target, error)
  }
  if (unavailable.test(code) || network.test(code) || lostConnection.test(error.message)) {
    return new DatabaseUnavailable('PostgreSQL cannot be reached.', error)
  }
  return error
}
