/** The databases of tenants for operations: a connection string, or `null` for the shared database. */
import type { Context, DedicatedDatabase } from '../core/context.ts'
import type { DedicatedOptions } from '../core/tenant/database-state.ts'
import type { DatabaseTarget } from '../database/target.ts'
import { decryptTarget, encryptConnectionString } from '../tenancy/connection-string.ts'

/** @param text the connection string @throws ServiceError `invalid` */
export function parseTarget({ shared }: Context, text: string | null): DatabaseTarget {
  const { tenantDatabases } = shared
  return text === null ? tenantDatabases.sharedTarget : tenantDatabases.check(text)
}

/** @returns the connection string as the catalogue stores it */
export function encryptTarget({ shared }: Context, text: string | null): Uint8Array | null {
  return text === null ? null : encryptConnectionString(shared.secretBox, text)
}

/** @param encrypted as the catalogue stores it */
export function storedTarget({ shared }: Context, encrypted: Uint8Array | null): DatabaseTarget {
  const { secretBox, tenantDatabases } = shared
  if (encrypted === null) return tenantDatabases.sharedTarget
  return decryptTarget({ secretBox, dataDir: tenantDatabases.dataDir }, encrypted)
}

/** @param encrypted as the catalogue stores it */
export function openStored(
  context: Context,
  encrypted: Uint8Array | null,
  options: DedicatedOptions,
): Promise<DedicatedDatabase> {
  return context.shared.tenantDatabases.openDedicated(storedTarget(context, encrypted), options)
}
