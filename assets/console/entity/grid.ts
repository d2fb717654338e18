/** The keys of a table (ARIA grid pattern): it is one stop of the Tab key, and arrows move within it. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type CellPlace, movedCell } from './grid-moves.ts'

export interface Grid {
  table: RefObject<HTMLTableElement | null>
  /** 0 for the cell that the Tab key reaches. */
  tabIndexOf: (row: number, column: number) => 0 | -1
  place: () => CellPlace
  focus: (place: CellPlace) => void
  /** Where the focus goes when the table has been drawn again. */
  aim: (place: CellPlace) => void
  /** @returns whether the key has moved the focus */
  move: (event: KeyboardEvent) => boolean
  /** For `onFocusIn`: a click moves the place as well. */
  follow: (event: FocusEvent) => void
  /** For `onFocusOut`. */
  leave: (event: FocusEvent) => void
}

/** @param rows with that of the headings */
export function useGrid(rows: number, columns: number): Grid {
  const table = useRef<HTMLTableElement>(null)
  const place = useRef<CellPlace>({ row: 1, column: 1 })
  // Rows may have gone: what is left is reached nevertheless.
  const clamp = ({ row, column }: CellPlace): CellPlace => ({
    row: Math.max(0, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  })
  place.current = clamp(place.current)
  const hadFocus = useRef(false)
  // The cell with the focus may have been moved, or replaced by another row's.
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
