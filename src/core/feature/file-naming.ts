/** Declares columns of a feature that contain ids of files. A caller who may read the row may read its files. */
import type { Naming } from '../../database/row-rule.ts'
import type { PermissionSet } from '../permission.ts'

export interface FileNaming extends Naming {
  /** Whether the member is hidden from some callers in some rows. */
  isRuled: boolean
  /** Whether the caller may read the member, in rows that the caller may read. */
  isRead(permissions: Pick<PermissionSet, 'has'>): boolean
}
