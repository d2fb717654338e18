/** The layout of a list as a table, or as cards on a phone. */
import { useApp } from '../app-context.ts'
import { ErrorNotice } from '../component/notice.tsx'
import { useSelection } from '../component/selection.ts'
import { useNarrow, useWidth } from '../component/width.ts'
import { densityOf, useDensity } from '../density.ts'
import type { EntityDescription, Row } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { usePreference } from '../preference.ts'
import { BulkBar } from './bulk.tsx'
import { useCellEditing } from './cell-editing.ts'
import { EmptyList } from './empty-list.tsx'
import type { LayoutProps } from './layout-props.ts'
import { ListFoot } from './list-foot.tsx'
import { arranged } from './list-layout.ts'
import { columnsOf } from './list-state.ts'
import { RowCards } from './row-cards.tsx'
import { RowTable } from './row-table.tsx'
import { loadPage } from './rows.ts'
import { withMatchingColumns } from './search-column.ts'
import { useReport } from './shown-rows.ts'
import { fitColumns, widthsIn } from './widths.ts'

const usualPageSize = 50
const noRows: readonly Row[] = []

export function TableLayout({ entity, address, field, report }: LayoutProps) {
  const { user } = useApp()
  const { query, search, show } = address
  const request = arranged({ name: 'table', field }, address.request)
  const pageSize = entity.console?.list?.pageSize ?? usualPageSize
  const key = new URLSearchParams(Object.entries(request)).toString()
  const { data, error, isLoading, reload } = useLoaded(`${entity.name}?${key}`, (signal) =>
    loadPage(entity, { ...request, limit: `${pageSize}`, count: 'true' }, signal),
  )
  const total = data?.total ?? null
  useReport(report, { rows: data?.rows ?? noRows, total, reload })
  const editing = useCellEditing(entity, data, reload)
  const rows = data === null ? null : data.rows.map(editing.shown)
  const selection = useRowSelection(entity, key, rows ?? noRows)
  const [stored, setStored] = usePreference(user.id, `list.${entity.name}`)
  const widths = widthsIn(stored)
  const [ownDensity] = useDensity(user.id)
  const [frame, room] = useWidth<HTMLDivElement>()
  const isNarrow = useNarrow()
  const named = columnsOf(entity, query.get('columns')?.split(',') ?? null)
  const matching = withMatchingColumns(entity, named, { rows: rows ?? noRows, search })
  const { columns, widthOf } = fitColumns(entity, matching, {
    chosen: widths,
    room: isNarrow ? 0 : room, // cards have no widths, so their columns are not limited
    isChosen: query.has('columns'),
  })
  const common = { entity, rows, isLoading, selection, editing, search, columns }
  return (
    <div class="layout" ref={frame}>
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {rows?.length === 0 && <EmptyList entity={entity} address={address} />}
      {error === null &&
        rows?.length !== 0 &&
        (isNarrow ? (
          <RowCards {...common} />
        ) : (
          <RowTable
            {...common}
            sort={query.get('sort') ?? ''}
            onSort={(sort) => show({ sort: sort === '' ? null : sort })}
            widths={widths}
            widthOf={widthOf}
            onWidths={setStored}
            onColumns={(names) => show({ columns: names.join(',') }, { keepsPage: true })}
            peeked={address.peeked}
            onPeek={address.peek}
            group={field}
            density={densityOf(entity, query, ownDensity)}
          />
        ))}
      {selection !== null && (
        <BulkBar key={`chosen ${key}`} {...{ entity, selection, request, total }} onDone={reload} />
      )}
      <ListFoot entity={entity} page={data} address={address} />
    </div>
  )
}

/** @returns the ticked rows; `null` for an entity without requests that change many rows */
function useRowSelection({ hasBulk }: EntityDescription, key: string, rows: readonly Row[]) {
  const selection = useSelection(key, rows)
  return hasBulk === true ? selection : null
}
