/** The properties of the table of an entity's rows, and of the parts of the table. */
import type { Selection } from '../component/selection.ts'
import type { Density } from '../densities.ts'
import type { EntityDescription, FieldDescription, Row } from '../describe.ts'
import type { CellEditing } from './cell-editing.ts'
import type { Widths } from './widths.ts'

export interface TableProps {
  entity: EntityDescription
  columns: readonly FieldDescription[]
  /** `null` while the rows are loaded for the first time. */
  rows: readonly Row[] | null
  isLoading: boolean
  sort: string
  onSort: (sort: string) => void
  /** `null` if rows cannot be chosen. */
  selection: Selection<Row> | null
  /** The widths that the user has set. */
  widths: Widths
  widthOf: (field: FieldDescription) => number
  onWidths: (widths: Widths) => void
  onColumns: (names: readonly string[]) => void
  editing: CellEditing
  /** The words of the list's search. */
  search: string
  /** The id of the row in the preview. */
  peeked: string | null
  onPeek: (id: string | null) => void
  group: FieldDescription | null
  /** The height of the rows; `null` for the user's preference. */
  density: Density | null
}
