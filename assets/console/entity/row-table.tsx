/** The rows of a page of an entity: headers that sort, boxes that choose, and a link to each row. */
import { PlaceholderRows, ScrollingTable } from '../component/data-table.tsx'
import type { Selection } from '../component/selection.ts'
import {
  capital,
  type EntityDescription,
  type FieldDescription,
  labelOf,
  type Row,
  titleOf,
} from '../describe.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { isNumber, Value } from './value.tsx'

interface TableProps {
  entity: EntityDescription
  columns: readonly FieldDescription[]
  /** `null` while they are loaded for the first time. */
  rows: readonly Row[] | null
  isLoading: boolean
  sort: string
  onSort: (sort: string) => void
  selection: Selection<Row>
}

export function RowTable({ entity, columns, rows, isLoading, sort, onSort, selection }: TableProps) {
  const linked = columns.find(({ name }) => name === entity.title) ?? columns[0]
  return (
    <ScrollingTable label={capital(entity.labels)} isLoading={isLoading}>
      <thead>
        <tr>
          <th scope="col">
            <input
              type="checkbox"
              aria-label={text.list.chooseAll}
              checked={selection.hasAll}
              onChange={(event) => selection.chooseAll(event.currentTarget.checked)}
            />
          </th>
          {columns.map((field) => (
            <SortHeader key={field.name} field={field} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      {rows === null ? (
        <PlaceholderRows columns={columns.length + 1} />
      ) : (
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <input
                  type="checkbox"
                  aria-label={text.list.choose(titleOf(entity, row))}
                  checked={selection.has(row.id)}
                  onChange={(event) => selection.choose(row.id, event.currentTarget.checked)}
                />
              </td>
              {columns.map((field) => (
                <td key={field.name} class={isNumber(field) ? 'number' : undefined}>
                  {field === linked ? (
                    <a href={hrefOf(`/entities/${entity.name}/${row.id}`)}>{linkText(entity, field, row)}</a>
                  ) : (
                    <Value field={field} value={row[field.name]} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      )}
    </ScrollingTable>
  )
}

function linkText(entity: EntityDescription, field: FieldDescription, row: Row): string {
  return field.name === entity.title ? titleOf(entity, row) : String(row[field.name] ?? row.id)
}

interface HeaderProps {
  field: FieldDescription
  sort: string
  onSort: (sort: string) => void
}

/** Ascending, then descending, then as before. With the shift key a further member is sorted by. */
function SortHeader({ field, sort, onSort }: HeaderProps) {
  const { name, kind } = field
  const className = isNumber(field) ? 'number' : undefined
  if (kind === 'many' || kind === 'json')
    return (
      <th scope="col" class={className}>
        {labelOf(field)}
      </th>
    )
  const keys = sort === '' ? [] : sort.split(',')
  const own = keys.find((each) => each === name || each === `-${name}`) ?? null
  const change = (event: MouseEvent) => {
    const others = event.shiftKey ? keys.filter((each) => each !== own) : []
    onSort([...others, ...afterwards(name, own)].join(','))
  }
  return (
    <th
      scope="col"
      class={className}
      aria-sort={own === null ? 'none' : own === name ? 'ascending' : 'descending'}
    >
      <button type="button" title={text.list.sortBy(labelOf(field))} onClick={change}>
        {labelOf(field)} {own === null ? '' : own === name ? '▲' : '▼'}
      </button>
    </th>
  )
}

/** @param own how the list is sorted by the member now */
function afterwards(name: string, own: string | null): string[] {
  if (own === null) return [name]
  return own === name ? [`-${name}`] : []
}
