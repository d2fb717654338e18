import type { Context, DatabaseApart } from '../../context.ts'
import { connectionPurpose } from '../databases.ts'

/** @param sealed a connection string as it is in the catalogue; `null` for the shared database */
export async function openPlace(context: Context, sealed: Uint8Array | null): Promise<DatabaseApart> {
  const { sealer, tenantDatabases } = context.shared
  return tenantDatabases.openApart(sealed === null ? null : sealer.open(sealed, connectionPurpose))
}
