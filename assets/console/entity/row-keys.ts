/** The keys in the rows of a table: they preview a row, choose it, open it, or edit a cell. */
import type { FieldDescription, Row } from '../describe.ts'
import { goTo, hrefOf } from '../router.ts'
import { singleKeyOf } from '../single-keys.ts'
import type { Grid } from './grid.ts'
import type { GroupHeading } from './group.ts'
import type { TableProps } from './table-props.ts'

type Line = Row | GroupHeading

export function rowKeys(props: TableProps, grid: Grid, lines: readonly Line[]) {
  const { columns, rows, editing } = props
  const edit = (row: Row, field: FieldDescription) => {
    if (field.kind !== 'boolean') editing.begin(row, field)
    else editing.change(row, field, row[field.name] !== true)
  }
  const press = (event: KeyboardEvent) => {
    const id = event.target instanceof Element ? event.target.closest('tr')?.dataset['row'] : undefined
    const row = rows?.find((each) => each.id === id)
    if (grid.move(event)) follow(props, { row, next: lines[grid.place().row - 1], event })
    else if (row !== undefined && !event.ctrlKey && !event.metaKey) {
      const field = columns[grid.place().column - 1]
      const act =
        cellKey(props, { row, field, edit, isShifted: event.shiftKey })[event.key] ??
        letterKey(props, row, event)
      const isControl = event.key === 'Enter' && !(event.target instanceof HTMLTableCellElement)
      if (act === undefined || isControl) return
      event.preventDefault()
      act()
    }
  }
  return { press, edit }
}

/** Moves the preview to the next row. With the shift key, this chooses both rows. */
function follow(
  { selection, peeked, onPeek }: TableProps,
  { row, next, event }: { row: Row | undefined; next: Line | undefined; event: KeyboardEvent },
): void {
  const isUpOrDown = event.key === 'ArrowUp' || event.key === 'ArrowDown'
  if (!isUpOrDown || next === undefined || !('id' in next)) return
  if (event.shiftKey && row !== undefined) selection?.extendTo(next.id, row.id)
  if (peeked !== null) onPeek(next.id)
}

interface Place {
  row: Row
  field: FieldDescription | undefined
  edit: (row: Row, field: FieldDescription) => void
  isShifted: boolean
}

function cellKey(
  { entity, editing, selection, peeked, onPeek }: TableProps,
  { row, field, edit, isShifted }: Place,
): Readonly<Record<string, () => void>> {
  const open = () => goTo(hrefOf(`/entities/${entity.name}/${row.id}`))
  const change = field !== undefined && editing.canEdit(field) ? () => edit(row, field) : null
  return {
    Enter: change === null || field?.name === entity.title ? open : change,
    ...(change !== null && { F2: change }),
    ' ':
      field === undefined || isShifted
        ? () => selection?.choose(row.id, !selection.has(row.id))
        : () => onPeek(peeked === row.id ? null : row.id),
  }
}

function letterKey({ selection }: TableProps, row: Row, event: KeyboardEvent): (() => void) | undefined {
  if (selection === null || singleKeyOf(event) !== 'x') return undefined
  if (event.shiftKey) return () => selection.extendTo(row.id)
  return () => selection.choose(row.id, !selection.has(row.id))
}
