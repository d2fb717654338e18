/** The page of a built-in list, such as users: its title, its filters, its rows, and buttons for the next page. */
import { type IconNode, RefreshCw } from 'lucide'
import type { ComponentChildren } from 'preact'
import { numbers, text } from '../text/text.ts'
import { type Choice, type Column, DataTable } from './data-table.tsx'
import { type Filter, Filters } from './filters.tsx'
import { Icon } from './icon.tsx'
import type { List } from './list.ts'
import { PageHead } from './page-head.tsx'
import { Pager } from './pager.tsx'
import { useSelection } from './selection.ts'

/** The description of a built-in list, from which its page is made. */
export interface Resource<T> {
  /** The path of its endpoint. */
  path: string
  title: string
  /** A sentence that says what the rows are. */
  text: string
  icon: IconNode
  columns: readonly Column<T>[]
  filters?: readonly Filter[]
  isCounted?: boolean
  /** The text while there are no rows at all. */
  none: string
  /** @returns the key of a row; absent: its `id` */
  keyOf?: (row: T) => string
  hrefOf?: (row: T) => string
}

interface ListPageProps<T> {
  resource: Resource<NoInfer<T>>
  list: List<T>
  /** The button beside the title, which is shown below the text as well if there are no rows. */
  action?: ComponentChildren
  /** Shows more of a row that has no page. */
  onOpen?: (row: NoInfer<T>) => void
  /** The buttons at the end of each row. */
  actionsOf?: ((row: NoInfer<T>) => ComponentChildren) | false
  /** The actions on ticked rows. */
  bulk?: Bulk<NoInfer<T>> | false
  /** Content between the title and the filters. */
  children?: ComponentChildren
}

export interface Bulk<T> {
  titleOf: (row: T) => string
  /** @param end unticks the rows and loads the list again */
  actions: (rows: readonly T[], end: () => void) => ComponentChildren
}

export function ListPage<T>(props: ListPageProps<T>) {
  const { resource, list, action, onOpen, actionsOf, bulk, children } = props
  const { title, icon, filters = [], none } = resource
  const keyOf = resource.keyOf ?? ((row: T) => (row as { id: string }).id) // rows of the service have one
  const rows = (list.data ?? noRows) as readonly (T & { id: string })[] // those of lists with boxes have ids
  const selection = useSelection(JSON.stringify([list.query, list.from]), rows)
  const isEmpty = list.data?.length === 0 && !list.isFiltered
  const actions: Column<T>[] = actionsOf
    ? [
        {
          label: text.administration.common.actions,
          isAction: true,
          show: (row) => <span class="actions">{actionsOf(row)}</span>,
        },
      ]
    : []
  const choice: Choice<T> | undefined = bulk ? { selection, titleOf: bulk.titleOf } : undefined
  const end = () => {
    selection.chooseAll(false)
    list.reload()
  }
  const reload = (
    <button
      type="button"
      class="plain only-icon end"
      aria-label={text.administration.common.reload}
      title={text.administration.common.reload}
      onClick={list.reload}
    >
      <Icon node={RefreshCw} />
    </button>
  )
  return (
    <div class="stack">
      <PageHead
        icon={icon}
        title={title}
        subtitle={resource.text}
        badges={
          list.total !== null &&
          list.total > 0 && <span class="soft figures">{numbers.format(list.total)}</span>
        }
      >
        {filters.length === 0 && reload}
        {!isEmpty && action}
      </PageHead>
      {children}
      {filters.length > 0 && (
        <Filters filters={filters} list={list}>
          {reload}
        </Filters>
      )}
      <DataTable
        label={title}
        columns={[...resource.columns, ...actions]}
        loaded={list}
        keyOf={keyOf}
        hrefOf={resource.hrefOf}
        onOpen={onOpen}
        choice={choice}
        empty={
          <>
            <Icon node={icon} class="large" />
            <p>{list.isFiltered ? text.list.noMatch : none}</p>
            {list.isFiltered ? (
              <button type="button" onClick={() => list.show(cleared(filters))}>
                {text.list.clear}
              </button>
            ) : (
              action
            )}
          </>
        }
      />
      <Pager list={list} label={title} />
      {bulk && selection.rows.length > 0 && (
        <div class="row save-bar">
          <span>{text.action.chosen(selection.rows.length)}</span>
          <span class="end row">{bulk.actions(selection.rows, end)}</span>
        </div>
      )}
    </div>
  )
}

const noRows: readonly never[] = []

function cleared(filters: readonly Filter[]): Record<string, null> {
  return Object.fromEntries(filters.filter(({ isNoFilter }) => !isNoFilter).map(({ name }) => [name, null]))
}

interface ListTableProps<T> {
  label: string
  columns: readonly Column<T>[]
  list: List<T>
  none: string
}

/** The table of a list, for a page that shows other things as well. */
export function ListTable<T extends { id: string }>({ label, columns, list, none }: ListTableProps<T>) {
  return (
    <>
      <DataTable label={label} columns={columns} loaded={list} keyOf={({ id }) => id} empty={<p>{none}</p>} />
      <Pager list={list} label={label} />
    </>
  )
}
