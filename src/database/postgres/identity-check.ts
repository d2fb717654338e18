/** Refuses connections to another database than the one that was opened: it may have been dropped and created again. */
import pg from 'pg'
import { identityOf, selectIdentity } from '../database-identity.ts'
import { type DatabaseIdentity, DatabaseLost, type Row } from '../executor.ts'

const databaseMissing = '3D000'
const tableMissing = '42P01'

export class IdentityCheck {
  #expected: DatabaseIdentity | null = null
  #isLost = false

  /** Whether the last check has failed. */
  get isLost(): boolean {
    return this.#isLost
  }

  require(identity: DatabaseIdentity): void {
    this.#expected = identity
  }

  /** @param query runs a statement on a connection @throws DatabaseLost; the error of `query` */
  async check(query: (sql: string) => Promise<{ rows: readonly Row[] }>): Promise<void> {
    if (this.#expected === null) return
    const [row] = (await query(selectIdentity).catch((error: unknown) => this.#refuse(error))).rows
    this.#isLost = row === undefined || !this.#isExpected(identityOf(row))
    if (this.#isLost) throw lost()
  }

  /** @throws DatabaseLost if the database no longer exists; otherwise the error of the connection */
  connecting<T>(connection: Promise<T>): Promise<T> {
    return connection.catch((error: unknown) => this.#refuse(error))
  }

  /** @throws DatabaseLost if the error means that the database or its table is missing; otherwise the error itself */
  #refuse(error: unknown): never {
    const origin = error instanceof Error && error.cause instanceof pg.DatabaseError ? error.cause : error
    const code = origin instanceof pg.DatabaseError ? origin.code : undefined
    if (this.#expected === null || (code !== databaseMissing && code !== tableMissing)) throw error
    this.#isLost = true
    throw lost(error)
  }

  #isExpected({ id, generation }: DatabaseIdentity): boolean {
    return id === this.#expected?.id && generation >= this.#expected.generation
  }
}

function lost(cause?: unknown): DatabaseLost {
  return new DatabaseLost(
    'missing',
    'The PostgreSQL database was dropped, or replaced by another one, while it was open.',
    cause,
  )
}
