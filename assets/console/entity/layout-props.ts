/** The properties that every layout of a list gets: table, board and calendar. */
import type { EntityDescription, FieldDescription } from '../describe.ts'
import type { ListAddress } from './list-address.ts'
import type { Report } from './shown-rows.ts'

export interface LayoutProps {
  entity: EntityDescription
  address: ListAddress
  /** The field that makes the groups, the columns or the days, see `ListLayout`. */
  field: FieldDescription | null
  report: Report
}
