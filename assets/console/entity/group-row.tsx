/** The heading of a group of rows in a table: the common value, and the number of rows. */
import { type EntityDescription, labelOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { CellValue } from './cell-value.tsx'
import type { GroupHeading } from './group.ts'

interface GroupRowProps {
  entity: EntityDescription
  heading: GroupHeading
  columns: number
  tabIndex: 0 | -1
}

export function GroupRow({ entity, heading: { field, value, count }, columns, tabIndex }: GroupRowProps) {
  return (
    <tr class="group">
      <th scope="rowgroup" colSpan={columns} tabIndex={tabIndex}>
        {value === null ? (
          <span class="soft">{text.table.without(labelOf(field))}</span>
        ) : (
          <CellValue entity={entity} field={field} value={value} />
        )}{' '}
        <span class="soft figures">{count}</span>
      </th>
    </tr>
  )
}
