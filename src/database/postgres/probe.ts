/** Runs statements on a separate connection, to check whether the database responds however busy the pool is. */
import type pg from 'pg'
import type { Executor, StatementResult } from '../executor.ts'
import { type ConnectionConfig, openClient } from './connect.ts'
import { endsConnection, translate } from './failure.ts'
import { type SessionOptions, Sessions } from './session.ts'

/** The limit of a statement. It is shorter than the usual time-outs of health checks. */
const timeoutMs = 1500

export class Probe implements Executor {
  readonly dialect = 'postgres'
  readonly #config: ConnectionConfig
  readonly #sessions: Sessions
  #client: pg.Client | null = null
  #previous: Promise<unknown> = Promise.resolve()

  constructor(config: ConnectionConfig, session: SessionOptions) {
    this.#config = { ...config, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs }
    // Behind a pooler the role sets the time-out, and a session without that value would be refused.
    const statementTimeoutMs = session.isPooled === true ? session.statementTimeoutMs : timeoutMs
    this.#sessions = new Sessions(this.#config, { ...session, statementTimeoutMs })
  }

  /** Runs statements one after the other. */
  run(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    const result = this.#previous.then(() => this.#ask(sql, parameters))
    this.#previous = result.catch(() => undefined)
    return result
  }

  /** Makes the next statement run in a new session. */
  async renew(): Promise<void> {
    await this.#previous
    await this.#disconnect()
  }

  close(): Promise<void> {
    return this.renew()
  }

  async #ask(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    try {
      this.#client ??= await this.#connect()
      const { rows, rowCount } = await this.#client.query({ text, values: [...parameters] })
      return { rows, affected: rowCount ?? 0 }
    } catch (error) {
      if (endsConnection(error)) await this.#disconnect()
      throw translate(error)
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = await openClient(this.#config)
    const forget = (): void => {
      if (this.#client === client) this.#client = null
    }
    client.on('error', forget)
    client.on('end', forget)
    try {
      await this.#sessions.prepare(client)
      return client
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
  }

  /** Does not wait: a server that does not respond does not confirm a close either. */
  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = null
    client?.end().catch(() => undefined)
  }
}
