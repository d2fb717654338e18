/** The table of an entity's rows. Keys move between its cells, preview and choose rows, and edit values. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { PlaceholderRows } from '../component/data-table.tsx'
import { capital } from '../describe.ts'
import { text } from '../text/text.ts'
import { CellEditor } from './cell-editor.tsx'
import { type Grid, useGrid } from './grid.ts'
import { groupsOf } from './group.ts'
import { GroupRow } from './group-row.tsx'
import { rowKeys } from './row-keys.ts'
import { columnsHint, TableHeadings } from './table-headings.tsx'
import type { TableProps } from './table-props.ts'
import { TableRow } from './table-row.tsx'
import { boxWidth } from './widths.ts'

export function RowTable(props: TableProps) {
  const { entity, columns, rows, isLoading, widthOf, group } = props
  const lines = group === null || rows === null ? (rows ?? []) : groupsOf(rows, group)
  const grid = useGrid(lines.length + 1, columns.length + 1)
  const { press, edit } = rowKeys(props, grid, lines)
  return (
    <section
      class={isLoading ? 'table grid is-loading' : 'table grid'}
      aria-label={capital(entity.labels)}
      aria-busy={isLoading}
      data-density={props.density ?? undefined}
    >
      <table
        ref={grid.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells have the focus
        role="grid"
        aria-label={capital(entity.labels)}
        aria-multiselectable="true"
        onKeyDown={press}
        onFocusIn={grid.follow}
        onFocusOut={grid.leave}
      >
        <colgroup>
          <col style={{ width: `${boxWidth}px` }} />
          {columns.map((field) => (
            <col key={field.name} style={{ width: `${widthOf(field)}px` }} />
          ))}
          <col />
        </colgroup>
        <TableHeadings {...props} tabIndexOf={(column) => grid.tabIndexOf(0, column)} aim={grid.aim} />
        {rows === null ? (
          <PlaceholderRows columns={columns.length + 2} />
        ) : (
          <tbody>
            {lines.map((line, index) =>
              'id' in line ? (
                <TableRow
                  key={line.id}
                  {...props}
                  row={line}
                  tabIndexOf={(column) => grid.tabIndexOf(index + 1, column)}
                  edit={edit}
                />
              ) : (
                <GroupRow
                  key={line.key}
                  entity={entity}
                  heading={line}
                  columns={columns.length + 2}
                  tabIndex={grid.tabIndexOf(index + 1, grid.place().column)}
                />
              ),
            )}
          </tbody>
        )}
      </table>
      <span class="hidden" id={columnsHint}>
        {text.table.columnsHint}
      </span>
      <EditedCellControl {...props} grid={grid} />
    </section>
  )
}

function EditedCellControl({ entity, columns, editing, grid }: TableProps & { grid: Grid }) {
  const { cell } = editing
  const [anchor, setAnchor] = useState<Element | null>(null)
  useLayoutEffect(() => {
    const row = cell === null ? null : grid.table.current?.querySelector(`[data-row="${cell.row.id}"]`)
    const column = columns.findIndex(({ name }) => name === cell?.field.name)
    setAnchor(row instanceof HTMLTableRowElement ? (row.cells[column + 1] ?? null) : null)
  }, [cell, columns])
  const last = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (anchor === null && last.current !== null && document.activeElement?.closest('td') == null)
      grid.focus(grid.place())
    last.current = anchor
  }, [anchor])
  if (cell === null || anchor === null) return null
  return (
    <CellEditor
      key={`${cell.row.id} ${cell.field.name} ${cell.fault}`}
      entity={entity}
      cell={cell}
      anchor={anchor}
      editing={editing}
      onLeave={(step) => {
        const { row, column } = grid.place()
        grid.focus({ row, column: column + step })
      }}
    />
  )
}
