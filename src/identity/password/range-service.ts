/**
 * Asks a service with the range protocol of Pwned Passwords whether a password is among breached ones. The service gets
 * the first five digits of the SHA-1 digest, and returns the rest of all digests that begin with them.
 */
import { hash } from 'node:crypto'
import type { Logger } from '../../core/context.ts'
import { Counter, type Sample } from '../../core/metric.ts'
import type { AddressGuard } from '../../core/outgoing/address-guard.ts'
import { type GuardedResponse, guardedFetch, OutgoingFailure } from '../../core/outgoing/guarded-fetch.ts'
import type { BreachedPasswords } from '../../core/passwords.ts'

const limits = { timeoutMs: 2000, maxBytes: 256 * 1024 }
const prefixDigits = 5
/** A padded response does not reveal by its size what was asked: it has further lines with the count 0. */
const headers = { 'add-padding': 'true', 'user-agent': 'Tenantry' }

export class RangeService implements BreachedPasswords {
  readonly #guard: AddressGuard
  readonly #url: string | null
  readonly #log: Logger
  readonly #outcomes = new Counter<'outcome'>(['outcome'])

  /** @param url to which the five digits are appended; `null`: no password counts as breached */
  constructor(guard: AddressGuard, url: string | null, log: Logger) {
    this.#guard = guard
    this.#url = url
    this.#log = log
  }

  async includes(password: string): Promise<boolean> {
    if (this.#url === null) return false
    const digest = hash('sha1', password).toUpperCase()
    const response = await this.#ask(new URL(digest.slice(0, prefixDigits), `${this.#url}/`))
    const isBreached = response !== null && hasDigest(response.body, digest.slice(prefixDigits))
    if (response !== null) this.#outcomes.count({ outcome: isBreached ? 'breached' : 'unknown' })
    return isBreached
  }

  outcomes(): readonly Sample[] {
    return this.#outcomes.samples()
  }

  /** If the service does not answer, passwords are accepted: users must be able to set one. */
  async #ask(url: URL): Promise<GuardedResponse | null> {
    try {
      const response = await guardedFetch(this.#guard, url, { headers }, limits)
      if (response.status === 200) return response
      this.#failed(`The server has answered with status ${response.status}.`)
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      this.#failed(error.message)
    }
    return null
  }

  #failed(reason: string): void {
    this.#outcomes.count({ outcome: 'failed' })
    this.#log.warn({ reason }, 'password not compared with breached ones')
  }
}

/** @param body lines of a digest without its prefix, and how often the password was seen */
function hasDigest(body: string, suffix: string): boolean {
  return body.split('\n').some((line) => {
    const [digest, count] = line.trim().split(':')
    return digest?.toUpperCase() === suffix && Number(count) > 0
  })
}
