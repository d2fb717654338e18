/** Opens a database with rows of tenants for one task, such as moving a tenant. */
import type { DedicatedDatabase } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import type { DedicatedOptions } from '../core/tenant/database-state.ts'
import { foldTenantId } from '../core/tenant/tenant-id.ts'
import type { InstallationData } from '../database/data.ts'
import { changeInstallation } from '../database/database-identity.ts'
import type { Database, DatabaseIdentity } from '../database/executor.ts'
import { describeUnknown, namesOfApplied, unknownMigrations } from '../database/migrate/history.ts'
import type { Migration } from '../database/migration.ts'
import { openDatabase } from '../database/open.ts'
import { type DatabaseTarget, isSameTarget, targetName } from '../database/target.ts'
import { type ConnectionReader, decryptTarget } from './connection-string.ts'
import { type Admit, admitExisting, admitKnown, admitNew } from './expected-database.ts'
import { openPrepared, type Preparation } from './prepare.ts'
import { findOwnDatabase } from './sql.ts'

export interface DedicatedOpening extends Preparation, ConnectionReader {
  catalogue: InstallationData
}

/** @throws as `TenantDatabases.openDedicated` */
export async function openDedicated(
  opening: DedicatedOpening,
  target: DatabaseTarget,
  { allowUnknownTables = false, ...expected }: DedicatedOptions,
): Promise<DedicatedDatabase> {
  const { database, identity: found } = await open(opening, target, expected)
  try {
    const identity = found === null ? null : await takeOver(database, found, await opening.installation())
    if (!allowUnknownTables) refuseUnknown(await namesOfApplied(database), opening.migrations)
    const close = () => database.close()
    return { database, target, name: targetName(target), identity, [Symbol.asyncDispose]: close }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** @returns as `identity` what the database has; `null` for the database of the service */
async function open(
  opening: DedicatedOpening,
  target: DatabaseTarget,
  expected: DedicatedOptions,
): Promise<{ database: Database; identity: DatabaseIdentity | null }> {
  const postgres = { ...opening.postgres, byIndex: true }
  // Only the service itself passes this object. The connection string of a tenant that names the database is refused.
  if (target === opening.sharedTarget)
    return { database: await openDatabase(target, postgres), identity: null }
  const admit = await admissionOf(opening, target, expected)
  return openPrepared(target, { ...opening, postgres }, admit)
}

/** Records that the database is of this installation, also if it was of another one (`admitExisting`). */
async function takeOver(
  database: Database,
  identity: DatabaseIdentity,
  installation: string,
): Promise<DatabaseIdentity> {
  if (identity.installation !== installation) await changeInstallation(database, installation)
  return { ...identity, installation }
}

async function admissionOf(
  opening: DedicatedOpening,
  target: DatabaseTarget,
  { as, tenantId }: DedicatedOptions,
): Promise<Admit> {
  if (as !== undefined) return as === 'adopted' ? admitExisting : admitOwnExisting
  const own = tenantId === undefined ? null : await findOwnDatabase(opening.catalogue, foldTenantId(tenantId))
  const isOwn = own !== null && isSameTarget(decryptTarget(opening, own.connection), target)
  return isOwn ? admitKnown(own.known) : admitNew
}

/** Admits a database that exists, and is not of another installation. */
const admitOwnExisting: Admit = (found, installation) => {
  admitExisting(found, installation)
  admitNew(found, installation)
}

/** Refuses tables that this process could not create in another database. */
function refuseUnknown(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const unknown = unknownMigrations(applied, migrations)
  if (unknown.length > 0) throw new ServiceError('invalid', `A database has ${describeUnknown(unknown)}`)
}
