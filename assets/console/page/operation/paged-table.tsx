/** A table of rows that are read page by page, with the button for the next page. */
import { ActionButton } from '../../component/action-button.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { text } from '../../text/text.ts'
import type { Paged } from './paged.ts'

interface PagedTableProps<T> {
  label: string
  columns: readonly Column<T>[]
  loaded: Paged<T>
  /** What is said of a list without rows. */
  none: string
}

export function PagedTable<T extends { id: string }>({ label, columns, loaded, none }: PagedTableProps<T>) {
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={<p>{none}</p>}
      />
      {loaded.more !== null && (
        <div class="row">
          <ActionButton act={loaded.more}>{text.administration.common.more}</ActionButton>
        </div>
      )}
    </>
  )
}
