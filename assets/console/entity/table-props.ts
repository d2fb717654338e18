/** What the table of the rows of an entity is given, and its parts in turn. */
import type { Selection } from '../component/selection.ts'
import type { Density } from '../densities.ts'
import type { EntityDescription, FieldDescription, Row } from '../describe.ts'
import type { CellEditing } from './cell-editing.ts'
import type { Widths } from './widths.ts'

export interface TableProps {
  entity: EntityDescription
  columns: readonly FieldDescription[]
  /** `null` while they are loaded for the first time. */
  rows: readonly Row[] | null
  isLoading: boolean
  sort: string
  onSort: (sort: string) => void
  /** `null` if nothing is done with many rows. */
  selection: Selection<Row> | null
  /** Those that the user has chosen. */
  widths: Widths
  widthOf: (field: FieldDescription) => number
  onWidths: (widths: Widths) => void
  onColumns: (names: readonly string[]) => void
  editing: CellEditing
  /** The words that were searched for. */
  search: string
  /** The row in the panel beside the list. */
  peeked: string | null
  onPeek: (id: string | null) => void
  group: FieldDescription | null
  /** The height of the rows; `null` for that of the user. */
  density: Density | null
}
