/** Reads from the catalogue in which databases the rows of tenants are, without opening these databases. */
import { foldTenantId } from '../core/tenant/tenant-id.ts'
import type { InstallationData } from '../database/data.ts'
import type { DatabaseTarget } from '../database/target.ts'
import { type ConnectionReader, decryptTarget } from './connection-string.ts'
import { connectionStringPage, findConnectionString, sharedTenantPage } from './sql.ts'

export interface OwnDatabaseTarget {
  tenantId: string
  /** `null` when the connection string cannot be decrypted or parsed. */
  target: DatabaseTarget | null
  /** The error of the connection string, if `target` is `null`. */
  failure: unknown
}

export interface OwnDatabaseReader extends ConnectionReader {
  catalogue: InstallationData
}

/** The rows of one statement. */
const pageSize = 200

/** The targets of all tenants, active or not. */
export async function* ownDatabaseTargets(reader: OwnDatabaseReader): AsyncGenerator<OwnDatabaseTarget> {
  for (let after = ''; ; ) {
    const page = await connectionStringPage(reader.catalogue, after, pageSize)
    for (const { id, connection_string } of page) yield targetOf(reader, id, connection_string)
    const last = page.at(-1)
    if (last === undefined) return
    after = last.id_key
  }
}

/** The ids of all tenants in the shared database, active or not. */
export async function* sharedTenants(catalogue: InstallationData): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = await sharedTenantPage(catalogue, after, pageSize)
    for (const { id } of page) yield id
    const last = page.at(-1)
    if (last === undefined) return
    after = last.id_key
  }
}

/** @returns `null` for an unknown tenant or one without its own database */
export async function findOwnDatabaseTarget(
  reader: OwnDatabaseReader,
  tenantId: string,
): Promise<OwnDatabaseTarget | null> {
  const encrypted = await findConnectionString(reader.catalogue, foldTenantId(tenantId))
  return encrypted === null ? null : targetOf(reader, tenantId, encrypted)
}

function targetOf(reader: OwnDatabaseReader, tenantId: string, encrypted: Uint8Array): OwnDatabaseTarget {
  try {
    return { tenantId, target: decryptTarget(reader, encrypted), failure: null }
  } catch (failure) {
    return { tenantId, target: null, failure }
  }
}
