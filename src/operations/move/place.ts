import type { Context, DedicatedDatabase } from '../../core/context.ts'
import type { DatabaseTarget } from '../../database/target.ts'
import { connectionPurpose, parseConnectionString } from '../../tenancy/connection-string.ts'
import { tenantFolder } from '../../tenancy/own-database-places.ts'

/** @param sealed a connection string as it is in the catalogue; `null` for the shared database */
export function targetOf({ shared }: Context, sealed: Uint8Array | null): DatabaseTarget {
  const { secretBox, tenantDatabases } = shared
  if (sealed === null) return tenantDatabases.sharedTarget
  return parseConnectionString(
    secretBox.decrypt(sealed, connectionPurpose),
    tenantFolder(tenantDatabases.dataDir),
  )
}

/** @param given a connection string, or `null` for the shared database @throws ServiceError `invalid` */
export function targetFor({ shared }: Context, given: string | null): DatabaseTarget {
  const { tenantDatabases } = shared
  return given === null ? tenantDatabases.sharedTarget : tenantDatabases.check(given)
}

export function openPlace(context: Context, sealed: Uint8Array | null): Promise<DedicatedDatabase> {
  return context.shared.tenantDatabases.openDedicated(targetOf(context, sealed))
}
