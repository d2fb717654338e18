/**
 * Opens a tenant's own database, if it is the one that the catalogue knows. Both have a generation, a number that grows
 * with each opening and closing: a database whose generation is behind that of the catalogue is an older copy.
 */
import { registry } from '../core/tenant/directory.ts'
import { lockTenant } from '../core/tenant/sql.ts'
import { advanceGeneration } from '../database/database-identity.ts'
import { type Database, type DatabaseIdentity, DatabaseUnavailable } from '../database/executor.ts'
import type { DatabaseTarget } from '../database/target.ts'
import { admitKnown } from './expected-database.ts'
import { openPrepared, type Preparation, type PreparedDatabase } from './prepare.ts'
import {
  assignDatabase,
  findConnectionString,
  findOwnDatabase,
  type OwnDatabaseRow,
  raiseGeneration,
} from './sql.ts'

export interface OwnDatabase extends OwnDatabaseRow {
  /** The case-folded id of the tenant. */
  key: string
  target: DatabaseTarget
}

/**
 * Raises the generation in the database before that in the catalogue: after a crash between both, the database is not
 * mistaken for an older copy.
 * @param use `serve`: commits do not wait for the disk on this thread
 * @param shared the database of the catalogue, from which `own` was read before
 * @throws DatabaseLost, and what else `openPrepared` throws
 */
export async function openOwn(
  own: OwnDatabase,
  preparation: Preparation,
  shared: Database,
  use: 'serve' | 'operate',
): Promise<PreparedDatabase> {
  const prepared = await openPrepared(own.target, preparation, admitKnown(own.known))
  const { database, identity } = prepared
  try {
    if (use === 'serve') await database.syncOffThread?.()
    const generation = await advanceGeneration(database, own.known?.generation ?? 0)
    const advanced = { ...identity, generation }
    await recordOwn(own, advanced, shared)
    database.requireIdentity?.(advanced)
    return { ...prepared, identity: advanced }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Records which database the tenant has. @throws DatabaseUnavailable when it was assigned another one meanwhile */
export async function recordOwn(
  { key, connection }: OwnDatabase,
  identity: DatabaseIdentity,
  shared: Database,
): Promise<void> {
  await shared.transaction(async (transaction) => {
    const catalogue = registry(transaction)
    await lockTenant(catalogue, key)
    const present = await findConnectionString(catalogue, key)
    if (present === null || Buffer.compare(present, connection) !== 0)
      throw new DatabaseUnavailable('The tenant was assigned another database meanwhile.')
    const known = (await findOwnDatabase(catalogue, key))?.known
    const generation = Math.max(known?.generation ?? 0, identity.generation)
    await assignDatabase(catalogue, key, { id: identity.id, generation })
    await raiseGeneration(catalogue, identity)
  })
}

/** Raises the generation, so that an older copy is recognized. To be called before the database is closed. */
export async function noteClosing(
  database: Database,
  { id, generation }: DatabaseIdentity,
  shared: Database,
): Promise<void> {
  const next = await advanceGeneration(database, generation)
  await shared.transaction((transaction) => raiseGeneration(registry(transaction), { id, generation: next }))
}
