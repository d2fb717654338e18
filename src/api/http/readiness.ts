/** Keeps why checks of readiness fail, for the log and for operators. Strangers see only that a check fails. */

import type { Logger } from 'pino'
import { errorCode } from '../../database/thrown.ts'

export class Readiness {
  readonly #log: Pick<Logger, 'warn' | 'info'>
  readonly #reasons = new Map<string, string>()

  constructor(log: Pick<Logger, 'warn' | 'info'>) {
    this.#log = log
  }

  /** `null` while the last run of each check has succeeded. */
  get reason(): string | null {
    return this.#reasons.size === 0 ? null : [...this.#reasons.values()].join(' ')
  }

  /** @param error of the check, or `null` when it has succeeded */
  note(check: string, error: unknown): void {
    const before = this.#reasons.get(check)
    const reason = error === null ? undefined : reasonOf(error)
    if (reason === before) return
    if (reason === undefined) {
      this.#reasons.delete(check)
      this.#log.info({ check }, 'ready again')
    } else {
      this.#reasons.set(check, reason)
      this.#log.warn({ check, reason }, 'not ready')
    }
  }
}

const tooManyConnections = '53300'
const advice =
  'The role, the database or the server allows fewer connections than the instances need (docs/operations/connections.md).'

/** The messages of the error and of its causes, which name no password. */
function reasonOf(error: unknown): string {
  const messages: string[] = []
  for (let each = error; each instanceof Error; each = each.cause) {
    messages.push(each.message)
    if (errorCode(each) === tooManyConnections) messages.push(advice)
  }
  return messages.length === 0 ? String(error) : messages.join(' ')
}
