/** A table of rows that a page describes by its columns: loading, empty, failed, or the rows. */
import type { ComponentChildren } from 'preact'
import type { Loaded } from '../load.ts'
import { Empty, ErrorNotice } from './notice.tsx'

export interface Column<T> {
  label: string
  show: (row: T) => ComponentChildren
  isNumber?: boolean
}

interface DataTableProps<T> {
  /** What screen readers call the table. */
  label: string
  columns: readonly Column<T>[]
  loaded: Loaded<readonly T[]>
  keyOf: (row: T) => string
  /** What to do while there are no rows. */
  empty: ComponentChildren
}

const placeholderRows = 6

export function DataTable<T>({ label, columns, loaded, keyOf, empty }: DataTableProps<T>) {
  const { data, error, isLoading, reload } = loaded
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data !== null && data.length === 0) return <Empty>{empty}</Empty>
  const rows = data ?? []
  return (
    <ScrollingTable label={label} isLoading={isLoading}>
      <thead>
        <tr>
          {columns.map(({ label: heading, isNumber }) => (
            <th scope="col" key={heading} class={isNumber === true ? 'number' : undefined}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      {data === null ? (
        <PlaceholderRows columns={columns.length} />
      ) : (
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ label: heading, show, isNumber }) => (
                <td key={heading} class={isNumber === true ? 'number' : undefined}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      )}
    </ScrollingTable>
  )
}

interface ScrollingTableProps {
  label: string
  isLoading: boolean
  children: ComponentChildren
}

/** It scrolls by itself, so it has to be reached by the keyboard. */
export function ScrollingTable({ label, isLoading, children }: ScrollingTableProps) {
  return (
    <section
      class={isLoading ? 'table is-loading' : 'table'}
      aria-label={label}
      aria-busy={isLoading}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls by itself has to be reached by the keyboard
      tabIndex={0}
    >
      <table>{children}</table>
    </section>
  )
}

/** Rows of the height of real ones, so that nothing jumps when those arrive. */
export function PlaceholderRows({ columns }: { columns: number }) {
  const cells = Array.from({ length: columns }, (_, index) => `${index}`)
  return (
    <tbody class="placeholder">
      {Array.from({ length: placeholderRows }, (_, index) => `${index}`).map((row) => (
        <tr key={row}>
          {cells.map((cell) => (
            <td key={cell}>
              <span />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
