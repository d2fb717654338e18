/**
 * Gives every session of PostgreSQL the settings that the service needs: time-outs, choices of the planner, and formats
 * of values. The settings are read back, because a pooler may lose them.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseUnavailable } from '../executor.ts'
import { quote } from '../sql-text.ts'
import { errorCode } from '../thrown.ts'
import { prepareBegin } from './begin.ts'
import { type ConnectionConfig, openClient } from './connect.ts'

export interface SessionOptions {
  statementTimeoutMs: number
  /** The time-out of each lock wait. */
  lockTimeoutMs?: number
  /** Reads in the order of an index, whatever the statistics, which are missing for a table that was just filled. */
  byIndex?: boolean
  /** The sessions are those of a pooler: the role has the settings, and a client sets none. */
  isPooled?: boolean
}

/** A session on which statements would run without the settings that they need. */
class SessionUnfit extends DatabaseUnavailable {}

/**
 * Settings of all sessions: formats of values, isolation, and the planner. A prepared plan is kept while its table
 * grows: with sequential scans off, it always uses an index. Before PostgreSQL 18 their cost would trigger `jit`.
 */
const always = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  enable_seqscan: 'off',
  jit: 'off',
}
/** Settings with which rows are read in the order of an index. */
const inOrderOfIndex = { enable_bitmapscan: 'off', enable_sort: 'off' }

const otherWaitMs = 2000
const page = 'docs/operations/connections.md'
const nameExists = '42P05'

/** Sets up the sessions of one database. */
export class Sessions {
  readonly #config: ConnectionConfig
  readonly isPooled: boolean
  readonly #settings: readonly (readonly [name: string, value: string])[]
  readonly #statement: string
  /** The check of the first session, which tells whether there is a pooler. */
  #checked: Promise<void> | null = null

  constructor(
    config: ConnectionConfig,
    { statementTimeoutMs, lockTimeoutMs, byIndex, isPooled }: SessionOptions,
  ) {
    this.#config = config
    this.isPooled = isPooled === true
    this.#settings = Object.entries({
      ...always,
      ...(byIndex === true ? inOrderOfIndex : {}),
      statement_timeout: durationText(statementTimeoutMs),
      ...(lockTimeoutMs === undefined ? {} : { lock_timeout: durationText(lockTimeoutMs) }),
    })
    const cells = this.#settings.map(([name, value]) =>
      this.isPooled ? `current_setting('${name}')` : `set_config('${name}', '${value}', false)`,
    )
    this.#statement = `SELECT ARRAY[${cells.join(', ')}] AS found, session_user AS role, current_database() AS database`
  }

  /** @throws SessionUnfit; the error of the connection */
  async prepare(client: pg.Client): Promise<void> {
    try {
      if (!this.isPooled) await this.#checkPooler(client)
      const [, { rows }] = await Promise.all([
        prepareBegin(client),
        client.query<Found>({ text: this.#statement, ...this.#timeout() }),
      ])
      const [found] = rows
      if (found !== undefined) this.#requireSettings(found)
    } catch (error) {
      throw isNameTaken(error) ? new SessionUnfit(losesStatements, error) : error
    }
    if (this.isPooled) await this.#checkStatements()
  }

  /** A time-out for a single query: the clients of a pool have no time-out of their own. */
  #timeout(): { query_timeout: number } {
    return { query_timeout: Number(this.#config.query_timeout ?? 0) }
  }

  #requireSettings({ found, role, database }: Found): void {
    const missing = this.#settings.filter(([, value], index) => !isValue(found[index], value))
    if (missing.length === 0) return
    if (!this.isPooled)
      throw new SessionUnfit(`PostgreSQL does not keep ${missing.map(([name]) => name).join(', ')}.`)
    const place = `ALTER ROLE ${quote(role)} IN DATABASE ${quote(database)} SET`
    const remedy = missing.map(([name, value]) => `${place} ${name} = '${value}';`).join(' ')
    throw new SessionUnfit(
      `The sessions behind the pooler of DATABASE_URL lack settings. Run: ${remedy} Then let the pooler reconnect (${page}).`,
    )
  }

  /**
   * Refuses a pooler in transaction mode, where the settings of a session would apply to another client. A pooler is
   * recognized by the process number, which differs from that of the server.
   */
  #checkPooler(client: pg.Client): Promise<void> {
    this.#checked ??= this.#refuseTransactionMode(client).catch((error: unknown) => {
      this.#checked = null
      throw error
    })
    return this.#checked
  }

  async #refuseTransactionMode(client: pg.Client): Promise<void> {
    const own = await backendOf(client, this.#timeout())
    const { processID } = client as { processID?: number } // its types leave it out
    if (own === processID) return
    const isShared = this.#withAnother(
      async (other) => (await backendOf(other, this.#timeout())) === own,
    ).catch(() => false)
    if (await isShared) throw new SessionUnfit(losesSettings)
  }

  /**
   * Checks that the pooler keeps the statements of each client apart: otherwise one client runs those of another by
   * name.
   */
  #checkStatements(): Promise<void> {
    this.#checked ??= this.#withAnother(prepareBegin).then(
      () => undefined,
      (error: unknown) => {
        this.#checked = null // the next session checks again
        if (isNameTaken(error)) throw new SessionUnfit(losesStatements, error)
      },
    )
    return this.#checked
  }

  /** Runs work on a second session. In session mode, another client may have to wait for it. */
  async #withAnother<T>(work: (other: pg.Client) => Promise<T>): Promise<T> {
    const other = await openClient(this.#config)
    const late = delay(otherWaitMs, undefined, { ref: false }).then(() => {
      throw new DatabaseUnavailable('The pooler has no other session.')
    })
    try {
      return await Promise.race([work(other), late])
    } finally {
      await other.end().catch(() => undefined)
    }
  }
}

interface Found {
  found: string[]
  role: string
  database: string
}

const losesSettings = `The address of PostgreSQL is that of a pooler in transaction mode, whose sessions keep no settings. Name PostgreSQL itself in DATABASE_DIRECT_URL, or let the pooler use session mode; a tenant’s own database needs session mode (${page}).`
const losesStatements = `The address of PostgreSQL is that of a pooler that loses prepared statements. PgBouncer keeps them from version 1.21 on, with max_prepared_statements above 0 (${page}).`

async function backendOf(client: pg.Client, timeout: object): Promise<number> {
  const text = 'SELECT pg_backend_pid() AS backend'
  const { rows } = await client.query<{ backend: number }>({ text, ...timeout })
  return rows[0]?.backend ?? 0
}

function isNameTaken(error: unknown): boolean {
  return errorCode(error) === nameExists
}

/**
 * Accepts `ISO, DMY` for `ISO`: the order of day and month matters only for input, and the service writes the year
 * first.
 */
function isValue(found: string | undefined, wanted: string): boolean {
  return found === wanted || found?.startsWith(`${wanted}, `) === true
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** @returns the duration as PostgreSQL shows it: in the largest unit without a remainder */
function durationText(ms: number): string {
  const unit = ms === 0 ? undefined : units.find(([, size]) => ms % size === 0)
  return unit === undefined ? `${ms}${ms === 0 ? '' : 'ms'}` : `${ms / unit[1]}${unit[0]}`
}
