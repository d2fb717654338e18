/** The row of headings of a table, which sorts, moves and resizes its columns. */
import type { FieldDescription } from '../describe.ts'
import { text } from '../text/text.ts'
import { ColumnHeading } from './column-heading.tsx'
import type { Grid } from './grid.ts'
import type { TableProps } from './table-props.ts'

/** The id of the sentence that explains how to move columns. */
export const columnsHint = 'columns-hint'

interface HeadingsProps extends TableProps, Pick<Grid, 'aim'> {
  tabIndexOf: (column: number) => 0 | -1
}

export function TableHeadings({
  entity,
  columns,
  sort,
  onSort,
  selection,
  widths,
  widthOf,
  onWidths,
  onColumns,
  tabIndexOf,
  aim,
}: HeadingsProps) {
  const names = columns.map(({ name }) => name)
  const title = names.includes(entity.title) ? entity.title : names[0]
  const move = (name: string, to: number | string) => {
    // Either another column is dropped here, or this column moves by a number of places.
    const [moved, place] =
      typeof to === 'string' ? [to, names.indexOf(name)] : [name, names.indexOf(name) + to]
    if (!names.includes(moved) || place < 0 || place >= names.length) return
    aim({ row: 0, column: place + 1 })
    onColumns(names.filter((each) => each !== moved).toSpliced(place, 0, moved))
  }
  const setWidth = ({ name }: FieldDescription, width: number | null) => {
    const { [name]: _before, ...others } = widths
    onWidths(width === null ? others : { ...others, [name]: width })
  }
  return (
    <thead>
      <tr>
        <th scope="col" tabIndex={tabIndexOf(0)}>
          {selection !== null && (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={text.list.chooseAll}
              checked={selection.hasAll}
              ref={(box) => {
                if (box !== null) box.indeterminate = selection.rows.length > 0 && !selection.hasAll
              }}
              onChange={(event) => selection.chooseAll(event.currentTarget.checked)}
            />
          )}
        </th>
        {columns.map((field, index) => (
          <ColumnHeading
            key={field.name}
            field={field}
            isTitle={field.name === title}
            tabIndex={tabIndexOf(index + 1)}
            hint={columnsHint}
            sort={sort}
            onSort={onSort}
            width={widthOf(field)}
            onWidth={(width) => setWidth(field, width)}
            onMove={(to) => move(field.name, to)}
          />
        ))}
        <td class="rest" aria-hidden="true" />
      </tr>
    </thead>
  )
}
