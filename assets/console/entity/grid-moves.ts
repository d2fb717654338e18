/** Computes to which cell of a table a key moves the focus (ARIA grid pattern). */

export interface CellPlace {
  /** Row 0 is the row of headings. */
  row: number
  column: number
}

export interface GridExtent {
  rows: number
  columns: number
  /** The number of rows that are visible at once. */
  visibleRows: number
}

/** @returns the cell after the key; `null` for a key that does not move */
export function movedCell(
  place: CellPlace,
  key: string,
  isControl: boolean,
  extent: GridExtent,
): CellPlace | null {
  const moved = withKey(place, key, isControl, extent)
  if (moved === null) return null
  return {
    row: clamp(moved.row, extent.rows),
    column: clamp(moved.column, extent.columns),
  }
}

function withKey(
  { row, column }: CellPlace,
  key: string,
  isControl: boolean,
  extent: GridExtent,
): CellPlace | null {
  switch (key) {
    case 'ArrowUp':
      return { row: row - 1, column }
    case 'ArrowDown':
      return { row: row + 1, column }
    case 'ArrowLeft':
      return { row, column: column - 1 }
    case 'ArrowRight':
      return { row, column: column + 1 }
    case 'PageUp':
      return { row: Math.max(1, row - extent.visibleRows), column }
    case 'PageDown':
      return { row: row + extent.visibleRows, column }
    case 'Home':
      return { row: isControl ? 1 : row, column: 0 }
    case 'End':
      return { row: isControl ? extent.rows - 1 : row, column: extent.columns - 1 }
    default:
      return null
  }
}

function clamp(position: number, count: number): number {
  return Math.max(0, Math.min(position, count - 1))
}
