/** A table of rows that a page describes by its columns: loading, empty, failed, or the rows. */
import type { ComponentChildren } from 'preact'
import type { Loaded } from '../load.ts'
import { text } from '../text/text.ts'
import { Empty, ErrorNotice } from './notice.tsx'
import type { Selection } from './selection.ts'

export interface Column<T> {
  label: string
  /** The content of the cell. An empty one is shown as a dash, and left out on phones. */
  show: (row: T) => ComponentChildren
  /** Whether the cell has a number, which is aligned to the end, with figures of one width. */
  isNumber?: boolean
  /** Whether the cell has buttons. The label is then only for screen readers. */
  isAction?: boolean
  /** Whether the column takes the room that the others leave. */
  isWide?: boolean
}

interface DataTableProps<T> {
  /** The name of the table for screen readers. */
  label: string
  columns: readonly Column<T>[]
  loaded: Loaded<readonly T[]>
  keyOf: (row: T) => string
  /** Shown while there are no rows, such as a hint how to create one. */
  empty: ComponentChildren
  /** The address of a row's page. The first cell is a link to it, and a click anywhere in the row follows the link. */
  hrefOf?: ((row: T) => string) | undefined
  /** Shows more of a row that has no page. The first cell is a button for it. */
  onOpen?: ((row: T) => void) | undefined
  choice?: Choice<T> | undefined
}

/** A checkbox in front of each row. */
export interface Choice<T> {
  selection: Selection<T>
  titleOf: (row: T) => string
}

/** A table of rows that are loaded already. */
export function RowsTable<T>({ rows, ...table }: RowsTableProps<T>) {
  return (
    <DataTable
      {...table}
      loaded={{ data: rows, error: null, isLoading: false, reload: () => undefined }}
      empty={null}
    />
  )
}

interface RowsTableProps<T> extends Pick<DataTableProps<T>, 'label' | 'columns' | 'keyOf'> {
  rows: readonly T[]
}

const placeholderRows = 6

export function DataTable<T>({
  label,
  columns,
  loaded,
  keyOf,
  empty,
  hrefOf: linkOf,
  onOpen,
  choice,
}: DataTableProps<T>) {
  const { data, error, isLoading, reload } = loaded
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data !== null && data.length === 0) return <Empty>{empty}</Empty>
  return (
    <ScrollingTable label={label} isLoading={isLoading} hasCards>
      <thead>
        <tr>
          {choice !== undefined && (
            <th scope="col">
              <input
                type="checkbox"
                aria-label={text.list.chooseAll}
                checked={choice.selection.hasAll}
                onChange={(event) => choice.selection.chooseAll(event.currentTarget.checked)}
              />
            </th>
          )}
          {columns.map(({ label: heading, isAction, ...column }) => (
            <th scope="col" key={heading} class={classOf(column)}>
              {isAction === true ? <span class="hidden">{heading}</span> : heading}
            </th>
          ))}
        </tr>
      </thead>
      {data === null ? (
        <PlaceholderRows columns={columns.length + (choice === undefined ? 0 : 1)} />
      ) : (
        <tbody>
          {data.map((row) => (
            <Row
              key={keyOf(row)}
              row={row}
              id={keyOf(row)}
              columns={columns}
              href={linkOf?.(row)}
              onOpen={onOpen}
              choice={choice}
            />
          ))}
        </tbody>
      )}
    </ScrollingTable>
  )
}

interface RowProps<T> {
  row: T
  id: string
  columns: readonly Column<T>[]
  href: string | undefined
  onOpen: ((row: T) => void) | undefined
  choice: Choice<T> | undefined
}

function Row<T>({ row, id, columns, href, onOpen, choice }: RowProps<T>) {
  const isChosen = choice?.selection.has(id) === true
  const isOpened = href !== undefined || onOpen !== undefined
  return (
    // A click anywhere follows the link or the button that the keyboard has.
    <tr
      class={isOpened ? 'is-link' : undefined}
      aria-selected={isChosen || undefined}
      onClick={isOpened ? openRow : undefined}
    >
      {choice !== undefined && (
        <td class="choice-cell">
          <input
            type="checkbox"
            aria-label={text.list.choose(choice.titleOf(row))}
            checked={isChosen}
            onChange={(event) => choice.selection.choose(id, event.currentTarget.checked)}
          />
        </td>
      )}
      {columns.map(({ label, show, isAction, ...column }, index) => {
        const shown = show(row)
        const isNone = shown === null || shown === undefined || shown === '' || shown === false
        const content = isNone ? isAction !== true && <span class="soft">{text.state.none}</span> : shown
        return (
          <td
            key={label}
            class={classOf(column, isNone && 'none', isAction === true && 'action-cell')}
            data-label={isAction === true || index === 0 ? undefined : label}
          >
            {index === 0 ? titled(content, href, onOpen && (() => onOpen(row))) : content}
          </td>
        )
      })}
    </tr>
  )
}

function titled(content: ComponentChildren, href: string | undefined, open: (() => void) | undefined) {
  if (href !== undefined)
    return (
      <a class="row-link" href={href}>
        {content}
      </a>
    )
  if (open === undefined) return content
  return (
    <button type="button" class="row-link" onClick={open}>
      {content}
    </button>
  )
}

/**
 * Follows the row's link by a click anywhere, with the keys of the click (Ctrl opens a tab). It does nothing for a
 * click on a control, or while text is being selected.
 */
function openRow(event: MouseEvent & { currentTarget: Element }): void {
  const { target, currentTarget } = event
  if (!(target instanceof Element) || target.closest('a, button, input, label, summary, dialog') !== null)
    return
  if (getSelection()?.isCollapsed !== false)
    currentTarget.querySelector('.row-link')?.dispatchEvent(new MouseEvent('click', event))
}

function classOf(
  { isNumber, isWide }: Pick<Column<never>, 'isNumber' | 'isWide'>,
  ...others: readonly (string | false)[]
): string | undefined {
  const names = [isNumber === true && 'number', isWide === true && 'wide', ...others].filter(Boolean)
  return names.length === 0 ? undefined : names.join(' ')
}

interface ScrollingTableProps {
  label: string
  isLoading: boolean
  /** Whether each row is shown as a card on phones. */
  hasCards?: boolean
  children: ComponentChildren
}

/** A table that scrolls by itself, and can be reached by the keyboard for this reason. */
export function ScrollingTable({ label, isLoading, hasCards = false, children }: ScrollingTableProps) {
  return (
    <section
      class={['table', isLoading && 'is-loading', hasCards && 'has-cards'].filter(Boolean).join(' ')}
      aria-label={label}
      aria-busy={isLoading}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls by itself has to be reached by the keyboard
      tabIndex={0}
    >
      <table>{children}</table>
    </section>
  )
}

/** Empty rows while the data loads. They have the height of real rows, so that nothing jumps. */
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
