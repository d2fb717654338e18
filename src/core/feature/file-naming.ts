/** Declares the columns of a feature that name files. A caller who reads such a row may read its files. */
import type { Naming } from '../../database/row-rule.ts'
import type { PermissionSet } from '../permission.ts'

export interface FileNaming extends Naming {
  /** Whether the member is hidden from some callers in some rows. */
  isRuled: boolean
  /** Whether the caller reads the member in the rows that it reaches. */
  isRead(permissions: Pick<PermissionSet, 'has'>): boolean
}
