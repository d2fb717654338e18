/** Events in PostgreSQL transactions of the test: they begin in one order and commit in another. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

export class HeldEvents implements AsyncDisposable {
  readonly #pool: pg.Pool
  readonly #tenantId: string

  constructor(url: string, tenantId: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 20 })
    this.#tenantId = tenantId
  }

  /** Publishes an existing order in a transaction that stays open. @returns commits it */
  async hold(orderId: string): Promise<() => Promise<void>> {
    const client = await this.#pool.connect()
    await client.query('BEGIN')
    await client.query(
      'INSERT INTO event (tenant_id, id, type, data, created_at) VALUES ($1, $2, $3, $4, now())',
      [
        this.#tenantId,
        `evt_${randomBytes(16).toString('hex')}`,
        'order.created',
        JSON.stringify({ orderId }),
      ],
    )
    return async () => {
      await client.query('COMMIT')
      client.release()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end()
  }
}
