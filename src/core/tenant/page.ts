/** Reads pages of tenants, or of rows by tenant, from the catalogue, in the order of the tenants' ids. */
import type { InstallationData } from '../../database/data.ts'
import { decodeCursor, type Page, type PageRequest, readPage } from '../page.ts'
import { countTenants } from './sql.ts'
import { foldTenantId } from './tenant-id.ts'

/**
 * @param read reads rows after a key, which is empty for the first page
 * @throws ServiceError `invalid` for a cursor of another list
 */
export async function readTenantPage<T extends { id: string }>(
  installation: InstallationData,
  { limit, cursor, isCounted = false }: PageRequest,
  read: (installation: InstallationData, after: string, rows: number) => Promise<T[]>,
): Promise<Page<T>> {
  const after = cursor === undefined ? '' : decodeCursor(cursor, (key) => key !== '' && !key.includes('\0'))
  const page = await readPage(
    limit,
    (rows) => read(installation, after, rows),
    ({ id }) => foldTenantId(id),
  )
  return isCounted ? { ...page, total: await countTenants(installation) } : page
}
