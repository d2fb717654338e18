/** Where the rows of a feature name files: whoever reads such a row reads the files that it names. */
import type { Naming } from '../../database/row-rule.ts'
import type { PermissionSet } from '../permission.ts'

export interface FileNaming extends Naming {
  /** Whether some callers do not read the member of some rows. */
  isRuled: boolean
  /** Whether the caller reads the member, of rows in reach. */
  isRead(permissions: Pick<PermissionSet, 'has'>): boolean
}
