/** Runs statements on a separate connection, to check whether the database responds however busy the pool is. */
import pg from 'pg'
import type { Executor, StatementResult } from '../executor.ts'
import { connect } from './connect.ts'
import { endsConnection, translate } from './failure.ts'

/** Shorter than the time-outs of health checks. */
const timeoutMs = 1500

export class Probe implements Executor {
  readonly dialect = 'postgres'
  readonly #options: pg.ClientConfig
  #client: pg.Client | null = null
  #previous: Promise<unknown> = Promise.resolve()

  constructor(options: pg.ClientConfig) {
    const { connectionString, types, application_name, options: startup } = options
    this.#options = {
      ...{ connectionString, types, application_name, options: startup },
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      statement_timeout: timeoutMs,
    }
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
    const client = new pg.Client(this.#options)
    const forget = (): void => {
      if (this.#client === client) this.#client = null
    }
    client.on('error', forget)
    client.on('end', forget)
    await connect(client)
    return client
  }

  /** Does not wait: a server that does not respond does not confirm a close either. */
  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = null
    client?.end().catch(() => undefined)
  }
}
