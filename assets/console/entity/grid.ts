/**
 * Keyboard navigation in a table (ARIA grid pattern): Tab goes to the table as a whole, arrow keys move between its
 * cells.
 */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type CellPlace, movedCell } from './grid-moves.ts'

export interface Grid {
  table: RefObject<HTMLTableElement | null>
  /** @returns 0 for the cell to which the Tab key goes, -1 for all others */
  tabIndexOf: (row: number, column: number) => 0 | -1
  place: () => CellPlace
  focus: (place: CellPlace) => void
  /** Sets the cell that gets the focus after the table is drawn again. */
  aim: (place: CellPlace) => void
  /** @returns whether the key has moved the focus */
  move: (event: KeyboardEvent) => boolean
  /** For `onFocusIn`: a cell that was clicked becomes the current one. */
  follow: (event: FocusEvent) => void
  /** For `onFocusOut`: remembers whether the focus has left the table. */
  leave: (event: FocusEvent) => void
}

/** @param rows the number of rows, including the headings */
export function useGrid(rows: number, columns: number): Grid {
  const table = useRef<HTMLTableElement>(null)
  const place = useRef<CellPlace>({ row: 1, column: 1 })
  // The table may have fewer rows than before, so the place is kept within it.
  const clamp = ({ row, column }: CellPlace): CellPlace => ({
    row: Math.max(0, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  })
  place.current = clamp(place.current)
  const hadFocus = useRef(false)
  // Drawing may have moved or replaced the cell with the focus, which then is lost.
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) focus(place.current)
  })
  // The heading of a group is one cell.
  const cellAt = ({ row, column }: CellPlace) => {
    const cells = table.current?.rows[row]?.cells
    return cells?.[Math.min(column, cells.length - 1)]
  }
  const settle = (next: CellPlace) => {
    const present = cellAt(place.current)
    if (present !== undefined) present.tabIndex = -1
    place.current = next
    const cell = cellAt(next)
    if (cell !== undefined) cell.tabIndex = 0
    return cell
  }
  const focus = (next: CellPlace) => {
    const cell = settle(clamp(next))
    cell?.focus()
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  return {
    table,
    tabIndexOf: (row, column) => (row === place.current.row && column === place.current.column ? 0 : -1),
    place: () => place.current,
    focus,
    aim: (next) => {
      place.current = next
    },
    move: (event) => {
      // Rows have about 40 pixels, and one of those that are visible is the head.
      const visibleRows = Math.max(1, Math.floor((table.current?.parentElement?.clientHeight ?? 0) / 40) - 1)
      const isControl = event.ctrlKey || event.metaKey
      const next = movedCell(place.current, event.key, isControl, { rows, columns, visibleRows })
      if (next === null) return false
      event.preventDefault()
      focus(next)
      return true
    },
    follow: (event) => {
      const cell = event.target instanceof Element ? event.target.closest('td, th') : null
      hadFocus.current = cell !== null
      if (!(cell instanceof HTMLTableCellElement) || !(cell.parentElement instanceof HTMLTableRowElement))
        return
      settle({ row: cell.parentElement.rowIndex, column: cell.cellIndex })
    },
    leave: ({ target, relatedTarget }) => {
      if (relatedTarget instanceof Node && table.current?.contains(relatedTarget) === true) return
      setTimeout(() => {
        const isKept = document.activeElement?.closest('[role=grid]') === table.current
        if (!isKept && target instanceof Node && target.isConnected) hadFocus.current = false
      })
    },
  }
}
