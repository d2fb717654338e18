/** Where the databases of tenants that have one of their own are, without opening any. */
import { join } from 'node:path'
import type { SecretBox } from '../core/encryption/secret-box.ts'
import { foldTenantId } from '../core/tenant/directory.ts'
import type { CatalogueData } from '../database/data.ts'
import type { DatabaseTarget } from '../database/target.ts'
import { connectionPurpose, parseConnectionString } from './connection-string.ts'
import { connectionStringPage, findConnectionString } from './sql.ts'

export interface OwnDatabasePlace {
  tenantId: string
  /** `null` where the connection string cannot be read. */
  target: DatabaseTarget | null
  /** Why not. */
  failure: unknown
}

export interface PlaceReader {
  catalogue: CatalogueData
  secretBox: SecretBox
  dataDir: string
}

const pageSize = 200

/** Of all tenants, active or not, page by page. */
export async function* ownDatabasePlaces(reader: PlaceReader): AsyncGenerator<OwnDatabasePlace> {
  for (let after = ''; ; ) {
    const page = await connectionStringPage(reader.catalogue, after, pageSize)
    for (const { id, connection_string } of page) yield placeOf(reader, id, connection_string)
    const last = page.at(-1)
    if (last === undefined) return
    after = last.id_key
  }
}

/** @returns `null` where there is no such tenant, or it has no database of its own */
export async function findOwnDatabasePlace(
  reader: PlaceReader,
  tenantId: string,
): Promise<OwnDatabasePlace | null> {
  const sealed = await findConnectionString(reader.catalogue, foldTenantId(tenantId))
  return sealed === null ? null : placeOf(reader, tenantId, sealed)
}

/** In this folder lie the files of tenants. */
export function tenantFolder(dataDir: string): string {
  return join(dataDir, 'tenants')
}

function placeOf(
  { secretBox, dataDir }: PlaceReader,
  tenantId: string,
  sealed: Uint8Array,
): OwnDatabasePlace {
  try {
    const text = secretBox.decrypt(sealed, connectionPurpose)
    return { tenantId, target: parseConnectionString(text, tenantFolder(dataDir)), failure: null }
  } catch (failure) {
    return { tenantId, target: null, failure }
  }
}
