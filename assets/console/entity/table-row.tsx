/**
 * A row of a table: its checkbox, its title with a link and a preview, and its values, which can be edited in place.
 */
import { PanelRight } from 'lucide'
import { useRef } from 'preact/hooks'
import { Icon } from '../component/icon.tsx'
import { type FieldDescription, type Row, titleOf } from '../describe.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { Badges } from './badges.tsx'
import { CellValue } from './cell-value.tsx'
import { Marked } from './marked.tsx'
import type { TableProps } from './table-props.ts'
import { isNumber } from './value.tsx'

interface RowProps extends TableProps {
  row: Row
  tabIndexOf: (column: number) => 0 | -1
  edit: (row: Row, field: FieldDescription) => void
}

export function TableRow(props: RowProps) {
  const { entity, columns, row, selection, peeked, onPeek, tabIndexOf } = props
  const linked = columns.find(({ name }) => name === entity.title) ?? columns[0]
  return (
    <tr
      data-row={row.id}
      class={peeked === row.id ? 'is-peeked' : undefined}
      aria-selected={selection?.has(row.id)}
    >
      <td tabIndex={tabIndexOf(0)}>
        {selection !== null && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={text.list.choose(titleOf(entity, row))}
            checked={selection.has(row.id)}
            onClick={(event) => {
              if (!event.shiftKey) return
              event.preventDefault()
              // The rows are chosen after the event, because preventing it resets the checkbox to its state before
              // the click.
              setTimeout(() => selection.extendTo(row.id))
            }}
            onChange={(event) => selection.choose(row.id, event.currentTarget.checked)}
          />
        )}
      </td>
      {columns.map((field, index) =>
        field === linked ? (
          <td key={field.name} class="row-title" tabIndex={tabIndexOf(index + 1)}>
            <Badges entity={entity} row={row} />{' '}
            <a tabIndex={-1} href={hrefOf(`/entities/${entity.name}/${row.id}`)}>
              <Marked words={linkText(props, field)} search={props.search} />
            </a>
            <button
              type="button"
              tabIndex={-1}
              class="peek-button"
              aria-label={text.table.peek(titleOf(entity, row))}
              aria-pressed={peeked === row.id}
              onClick={() => onPeek(peeked === row.id ? null : row.id)}
            >
              <Icon node={PanelRight} />
            </button>
          </td>
        ) : (
          <ValueCell key={field.name} {...props} field={field} tabIndex={tabIndexOf(index + 1)} />
        ),
      )}
      <td class="rest" aria-hidden="true" />
    </tr>
  )
}

function linkText({ entity, row }: RowProps, field: FieldDescription): string {
  return field.name === entity.title ? titleOf(entity, row) : String(row[field.name] ?? row.id)
}

function ValueCell({
  entity,
  row,
  field,
  tabIndex,
  editing,
  edit,
  search,
}: RowProps & { field: FieldDescription; tabIndex: 0 | -1 }) {
  const canEdit = editing.canEdit(field)
  const { cell } = editing
  const isEdited = cell?.row.id === row.id && cell.field.name === field.name
  let hadFocus = false
  const press = ({ currentTarget }: { currentTarget: Element }) => {
    hadFocus = document.activeElement === currentTarget
  }
  /** Whether the last click has started editing, so that the second click of a double click does not do so again. */
  const isEditing = useRef(false)
  const click = ({ target, detail }: MouseEvent) => {
    if (detail > 1 && isEditing.current) return
    // A word is edited by one click; any other cell by a second click on it, however late.
    const isWord = target instanceof Element && target.closest('.badge') !== null
    isEditing.current = isWord || hadFocus || detail === 2
    if (canEdit && isEditing.current) edit(row, field)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
    <td
      tabIndex={tabIndex}
      class={[isNumber(field) && 'number', canEdit && 'can-edit', isEdited && 'is-edited']
        .filter(Boolean)
        .join(' ')}
      onPointerDown={press}
      onClick={click}
    >
      <CellValue entity={entity} field={field} value={row[field.name]} search={search} />
    </td>
  )
}
