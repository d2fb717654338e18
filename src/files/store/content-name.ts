/** The names of contents in a store. The ids are checked, because they may come from an archive of somebody else. */
import type { FileKey } from '../../core/file-store.ts'
import { isUuid } from '../../core/id.ts'
import { foldTenantId, isTenantId } from '../../core/tenant/tenant-id.ts'

/** @returns `<tenant>/<id>` @throws Error for an id that is not a UUID, and for a tenant id that is not valid */
export function contentName({ tenantId, id }: FileKey): string {
  if (!isUuid(id)) throw new Error(`The id of a file is not a UUID: ${JSON.stringify(id.slice(0, 100))}.`)
  return `${folderName(tenantId)}/${id}`
}

/** @throws Error for a tenant id that is not valid */
export function folderName(tenantId: string): string {
  if (isTenantId(tenantId)) return foldTenantId(tenantId)
  throw new Error(`No tenant has this id: ${JSON.stringify(tenantId.slice(0, 100))}.`)
}
