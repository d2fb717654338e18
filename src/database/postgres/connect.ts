import pg from 'pg'
import { DatabaseUnavailable } from '../executor.ts'

/**
 * What the server does not say itself is of the way to it: names, descriptors, sockets, certificates.
 * @throws DatabaseUnavailable, pg.DatabaseError
 */
export async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    throw error instanceof pg.DatabaseError
      ? error
      : new DatabaseUnavailable('PostgreSQL cannot be reached.', error)
  }
}
