/** The rows of an entity: what is shown, sorted and filtered is in the address. */
import { useApp } from '../app-context.ts'
import { ErrorNotice } from '../component/notice.tsx'
import { useSelection } from '../component/selection.ts'
import { useNarrow, useWidth } from '../component/width.ts'
import { allFields, type EntityDescription, type FieldDescription, type Row } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { usePreference } from '../preference.ts'
import { BulkBar } from './bulk.tsx'
import { useCellEditing } from './cell-editing.ts'
import { EmptyList } from './empty-list.tsx'
import { groupedSort, isGrouping } from './group.ts'
import { useListAddress } from './list-address.ts'
import { ListFilters } from './list-filters.tsx'
import { ListFoot } from './list-foot.tsx'
import { ListHead } from './list-head.tsx'
import { columnsOf } from './list-state.ts'
import { RowCards } from './row-cards.tsx'
import { RowTable } from './row-table.tsx'
import { loadPage } from './rows.ts'
import { withMatchingColumns } from './search-column.ts'
import { boxWidth, fittingColumns, widthOf, widthsIn } from './widths.ts'

const pageSize = 50
const noRows: readonly Row[] = []

export function EntityList({ entity }: { entity: EntityDescription }) {
  const { user } = useApp()
  const address = useListAddress(entity)
  const { query, filters, show, search } = address
  const group = groupOf(entity, query.get('group'))
  const request = {
    ...address.request,
    ...(group !== null && { sort: groupedSort(address.request['sort'], group) }),
  }
  const key = new URLSearchParams(Object.entries(request)).toString()
  const { data, error, isLoading, reload } = useLoaded(`${entity.name}?${key}`, (signal) =>
    loadPage(entity, { ...request, limit: `${pageSize}`, count: 'true' }, signal),
  )
  const editing = useCellEditing(entity, data, reload)
  const rows = data === null ? null : data.rows.map(editing.shown)
  const selection = useSelection(key, rows ?? noRows)
  const [stored, setStored] = usePreference(user.id, `list.${entity.name}`)
  const widths = widthsIn(stored)
  const [frame, room] = useWidth<HTMLDivElement>()
  const isNarrow = useNarrow()
  const named = columnsOf(entity, query.get('columns')?.split(',') ?? null)
  const isFitted = !query.has('columns') && !isNarrow && room > 0
  const fitting = isFitted ? fit(entity, named, { widths, room }) : named
  const rowsProps = {
    entity,
    rows,
    isLoading,
    selection,
    editing,
    search,
    columns: withMatchingColumns(entity, fitting, { rows: rows ?? noRows, search }),
  }
  return (
    <div class="list-page" ref={frame}>
      <ListHead
        entity={entity}
        total={data?.total ?? null}
        address={address}
        columns={named}
        reload={reload}
      />
      <ListFilters entity={entity} address={address} />
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {rows?.length === 0 && <EmptyList entity={entity} isFiltered={filters.length > 0 || search !== ''} />}
      {error === null &&
        rows?.length !== 0 &&
        (isNarrow ? (
          <RowCards {...rowsProps} />
        ) : (
          <RowTable
            {...rowsProps}
            sort={query.get('sort') ?? ''}
            onSort={(sort) => show({ sort: sort === '' ? null : sort })}
            widths={widths}
            onWidths={setStored}
            onColumns={(names) => show({ columns: names.join(',') }, { keepsPage: true })}
            peeked={address.peeked}
            onPeek={address.peek}
            group={group}
          />
        ))}
      <BulkBar
        key={`chosen ${key}`}
        entity={entity}
        selection={selection}
        request={address.request}
        total={data?.total ?? null}
        onDone={reload}
      />
      <ListFoot entity={entity} page={data} address={address} />
    </div>
  )
}

function groupOf(entity: EntityDescription, name: string | null): FieldDescription | null {
  return allFields(entity).find((field) => field.name === name && isGrouping(field)) ?? null
}

function fit(
  entity: EntityDescription,
  columns: readonly FieldDescription[],
  { widths, room }: { widths: Readonly<Record<string, number>>; room: number },
): readonly FieldDescription[] {
  const count = fittingColumns(
    columns.map((field) => widthOf(entity, field, widths)),
    room - boxWidth,
  )
  return columns.slice(0, count)
}
