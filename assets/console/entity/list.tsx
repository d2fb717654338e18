/** The rows of an entity: what is shown, sorted and filtered is in the address. */
import { useRef } from 'preact/hooks'
import { Menu } from '../component/menu.tsx'
import { Empty, ErrorNotice } from '../component/notice.tsx'
import { useSelection } from '../component/selection.ts'
import { capital, type EntityDescription, type Row } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { goTo, hrefOf, usePlace } from '../router.ts'
import { text } from '../text/text.ts'
import { BulkActions } from './bulk.tsx'
import { ColumnChooser } from './columns.tsx'
import { ExportButtons } from './export.tsx'
import { filtersIn, parameterOf } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { columnsOf, queryOf } from './list-state.ts'
import { useChanges } from './live.ts'
import { RowTable } from './row-table.tsx'
import { loadPage, type Page } from './rows.ts'

const pageSize = 50
/** Many changes at once load the list once. */
const settleMs = 300
const noRows: readonly Row[] = []

export function EntityList({ entity }: { entity: EntityDescription }) {
  const { query } = usePlace()
  const filters = filtersIn(entity, query)
  const listQuery = queryOf(query, filters)
  const key = new URLSearchParams(Object.entries(listQuery)).toString()
  const loaded = useLoaded(`${entity.name}?${key}`, (signal) =>
    loadPage(entity, { ...listQuery, limit: `${pageSize}`, count: 'true' }, signal),
  )
  const { data, error, isLoading, reload } = loaded
  const selection = useSelection(key, data?.rows ?? noRows)
  const show = (changes: Changes, keepsPage = false) => goTo(hrefWith(entity, query, changes, keepsPage))
  const columns = columnsOf(entity, query.get('columns'))
  const search = query.get('search') ?? ''
  const canCreate = entity.operations.create !== undefined
  return (
    <div class="stack">
      <div class="row">
        <h1>{capital(entity.labels)}</h1>
        {data?.total != null && <span class="soft">{data.total}</span>}
        <LiveMark
          entity={entity}
          filter={Object.fromEntries(filters.map((filter) => [parameterOf(filter), filter.value]))}
          reload={reload}
        />
        <span class="end row">
          <ColumnChooser
            entity={entity}
            shown={columns}
            onChange={(names) => show({ columns: names.join(',') }, true)}
          />
          <Menu label={text.action.more}>
            <ExportButtons entity={entity} query={listQuery} />
            {canCreate && (
              <a class="button" href={hrefOf(`/entities/${entity.name}/import`)}>
                {text.action.import}
              </a>
            )}
          </Menu>
          {canCreate && <NewLink entity={entity} />}
        </span>
      </div>
      <FilterBar
        key={search}
        entity={entity}
        filters={filters}
        search={search}
        onSearch={(words) => show({ search: words === '' ? null : words })}
        onAdd={(filter) => show({ [parameterOf(filter)]: filter.value })}
        onRemove={(filter) => show({ [parameterOf(filter)]: null })}
        onClear={() =>
          show(Object.fromEntries([...filters.map(parameterOf), 'search'].map((name) => [name, null])))
        }
      />
      <BulkActions key={`chosen ${key}`} entity={entity} rows={selection.rows} onDone={reload} />
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {data?.rows.length === 0 && <NoRows entity={entity} isFiltered={filters.length > 0 || search !== ''} />}
      {error === null && data?.rows.length !== 0 && (
        <RowTable
          entity={entity}
          columns={columns}
          rows={data?.rows ?? null}
          isLoading={isLoading}
          sort={query.get('sort') ?? ''}
          onSort={(sort) => show({ sort: sort === '' ? null : sort })}
          selection={selection}
        />
      )}
      <Pages entity={entity} page={data} isFirst={!query.has('cursor')} show={show} />
    </div>
  )
}

/** By the names of parameters; `null` removes one. */
type Changes = Readonly<Record<string, string | null>>

function hrefWith(
  { name }: EntityDescription,
  query: URLSearchParams,
  changes: Changes,
  keepsPage: boolean,
): string {
  const next = new URLSearchParams(query)
  if (!keepsPage) next.delete('cursor')
  for (const [parameter, value] of Object.entries(changes)) {
    if (value === null) next.delete(parameter)
    else next.set(parameter, value)
  }
  return hrefOf(`/entities/${name}`, Object.fromEntries(next))
}

interface LiveMarkProps {
  entity: EntityDescription
  filter: Readonly<Record<string, string>>
  reload: () => void
}

function LiveMark({ entity, filter, reload }: LiveMarkProps) {
  const settle = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isLive = useChanges(entity, filter, () => {
    clearTimeout(settle.current)
    settle.current = setTimeout(reload, settleMs)
  })
  if (!isLive) return null
  return (
    <span class="badge good" title={text.state.live}>
      {text.state.liveShort}
      <span class="hidden">{text.state.live}</span>
    </span>
  )
}

function NewLink({ entity }: { entity: EntityDescription }) {
  return (
    <a class="button main" href={hrefOf(`/entities/${entity.name}/new`)}>
      {text.action.newRow(entity.label)}
    </a>
  )
}

function NoRows({ entity, isFiltered }: { entity: EntityDescription; isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty>
        <p>{text.state.emptyFilter(entity.labels)}</p>
      </Empty>
    )
  return (
    <Empty>
      <p>{text.state.emptyList(entity.labels)}</p>
      {entity.operations.create !== undefined && (
        <p>
          <NewLink entity={entity} />
        </p>
      )}
    </Empty>
  )
}

interface PagesProps {
  entity: EntityDescription
  page: Page | null
  isFirst: boolean
  show: (changes: Changes, keepsPage?: boolean) => void
}

function Pages({ entity, page, isFirst, show }: PagesProps) {
  const next = page?.next ?? null
  if (isFirst && next === null) return null
  return (
    <nav class="row" aria-label={capital(entity.labels)}>
      {!isFirst && (
        <button type="button" onClick={() => show({})}>
          {text.action.first}
        </button>
      )}
      {next !== null && (
        <button type="button" onClick={() => show({ cursor: next }, true)}>
          {text.action.next}
        </button>
      )}
    </nav>
  )
}
