/** The rows of an entity: what is shown, sorted and filtered is in the address. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Empty, ErrorNotice } from '../component/notice.tsx'
import {
  allFields,
  type EntityDescription,
  type FieldDescription,
  labelOf,
  type Row,
  titleOf,
} from '../describe.ts'
import { useLoaded } from '../load.ts'
import { goTo, hrefOf, usePlace } from '../router.ts'
import { text } from '../text/text.ts'
import { BulkActions } from './bulk.tsx'
import { ColumnChooser } from './columns.tsx'
import { ExportButtons } from './export.tsx'
import { filtersIn, type ListFilter, parameterOf } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { useChanges } from './live.ts'
import { loadPage } from './rows.ts'
import { isNumber, Value } from './value.tsx'

const pageSize = 50
const usualColumns = 6
const settleMs = 300

export function EntityList({ entity }: { entity: EntityDescription }) {
  const { query } = usePlace()
  const filters = filtersIn(entity, query)
  const listQuery = queryOf(query, filters)
  const key = new URLSearchParams(Object.entries(listQuery)).toString()
  const path = `/entities/${entity.name}`
  const { data, error, isLoading, reload } = useLoaded(`${entity.name}?${key}`, (signal) =>
    loadPage(entity, { ...listQuery, limit: `${pageSize}`, count: 'true' }, signal),
  )
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => setChosen(new Set()), [key, entity])
  const settle = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isLive = useChanges(entity, () => {
    clearTimeout(settle.current)
    settle.current = setTimeout(reload, settleMs)
  })
  const show = (changes: Readonly<Record<string, string | null>>, keepsPage = false) => {
    const next = new URLSearchParams(query)
    if (!keepsPage) next.delete('cursor')
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name)
      else next.set(name, value)
    }
    goTo(hrefOf(path, Object.fromEntries(next)))
  }
  const columns = columnsOf(entity, query.get('columns'))
  const { create } = entity.operations
  return (
    <div class="stack">
      <div class="row">
        <h1>{capital(entity.labels)}</h1>
        {data?.total != null && <span class="soft">{data.total}</span>}
        {isLive && (
          <span class="badge good" title={text.state.live}>
            ●<span class="hidden">{text.state.live}</span>
          </span>
        )}
        <span class="end row">
          <ColumnChooser
            entity={entity}
            shown={columns}
            onChange={(names) => show({ columns: names.join(',') }, true)}
          />
          <ExportButtons entity={entity} query={listQuery} />
          {create !== undefined && (
            <>
              <a class="button" href={hrefOf(`${path}/import`)}>
                {text.action.import}
              </a>
              <a class="button main" href={hrefOf(`${path}/new`)}>
                {text.action.newRow(entity.label)}
              </a>
            </>
          )}
        </span>
      </div>
      <FilterBar
        key={`${entity.name}${query.get('search')}`}
        entity={entity}
        filters={filters}
        search={query.get('search') ?? ''}
        onSearch={(words) => show({ search: words === '' ? null : words })}
        onAdd={(filter) => show({ [parameterOf(filter)]: filter.value })}
        onRemove={(filter) => show({ [parameterOf(filter)]: null })}
        onClear={() =>
          show(Object.fromEntries([...filters.map(parameterOf), 'search'].map((name) => [name, null])))
        }
      />
      {chosen.size > 0 && <BulkActions entity={entity} ids={[...chosen]} onDone={reload} />}
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {data !== null && data.rows.length === 0 ? (
        <Empty>
          <p>
            {filters.length > 0 ? text.state.emptyFilter(entity.labels) : text.state.emptyList(entity.labels)}
          </p>
          {create !== undefined && filters.length === 0 && (
            <p>
              <a class="button main" href={hrefOf(`${path}/new`)}>
                {text.action.newRow(entity.label)}
              </a>
            </p>
          )}
        </Empty>
      ) : (
        error === null && (
          <RowTable
            entity={entity}
            columns={columns}
            rows={data?.rows ?? null}
            isLoading={isLoading}
            sort={query.get('sort') ?? ''}
            onSort={(sort) => show({ sort: sort === '' ? null : sort })}
            chosen={chosen}
            onChoose={setChosen}
          />
        )
      )}
      {(data?.next != null || query.has('cursor')) && (
        <nav class="row" aria-label={capital(entity.labels)}>
          {query.has('cursor') && (
            <button type="button" onClick={() => show({})}>
              {text.action.first}
            </button>
          )}
          {data?.next != null && (
            <button type="button" onClick={() => show({ cursor: data.next }, true)}>
              {text.action.next}
            </button>
          )}
        </nav>
      )}
    </div>
  )
}

interface TableProps {
  entity: EntityDescription
  columns: readonly FieldDescription[]
  /** `null` while they are loaded for the first time. */
  rows: readonly Row[] | null
  isLoading: boolean
  sort: string
  onSort: (sort: string) => void
  chosen: ReadonlySet<string>
  onChoose: (ids: ReadonlySet<string>) => void
}

function RowTable({ entity, columns, rows, isLoading, sort, onSort, chosen, onChoose }: TableProps) {
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  const all = rows ?? []
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard
    <section
      class={isLoading ? 'table is-loading' : 'table'}
      aria-label={capital(entity.labels)}
      aria-busy={isLoading}
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label={text.list.chooseAll}
                checked={all.length > 0 && all.every(({ id }) => chosen.has(id))}
                onChange={(event) =>
                  onChoose(new Set(event.currentTarget.checked ? all.map(({ id }) => id) : []))
                }
              />
            </th>
            {columns.map((field) => (
              <SortHeader key={field.name} field={field} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody class={rows === null ? 'placeholder' : undefined}>
          {rows === null
            ? Array.from({ length: 8 }, (_, index) => (
                <tr key={`placeholder-${index}`}>
                  <td />
                  {columns.map(({ name }) => (
                    <td key={name}>
                      <span />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={text.list.choose(titleOf(entity, row))}
                      checked={chosen.has(row.id)}
                      onChange={() => toggle(row.id)}
                    />
                  </td>
                  {columns.map((field, index) => (
                    <td key={field.name} class={isNumber(field) ? 'number' : undefined}>
                      {field.name === entity.title ||
                      (index === 0 && !columns.some(({ name }) => name === entity.title)) ? (
                        <a href={hrefOf(`/entities/${entity.name}/${row.id}`)}>
                          {field.name === entity.title
                            ? titleOf(entity, row)
                            : String(row[field.name] ?? row.id)}
                        </a>
                      ) : (
                        <Value field={field} value={row[field.name]} />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </section>
  )
}

interface HeaderProps {
  field: FieldDescription
  sort: string
  onSort: (sort: string) => void
}

/** Ascending, then descending, then as before. With the shift key a further member is sorted by. */
function SortHeader({ field, sort, onSort }: HeaderProps) {
  const { name, kind } = field
  const keys = sort === '' ? [] : sort.split(',')
  const own = keys.find((each) => each === name || each === `-${name}`)
  const next = own === undefined ? name : own === name ? `-${name}` : null
  const change = (event: MouseEvent) => {
    const others = event.shiftKey ? keys.filter((each) => each !== own) : []
    onSort([...others, ...(next === null ? [] : [next])].join(','))
  }
  const className = isNumber(field) ? 'number' : undefined
  if (kind === 'many' || kind === 'json')
    return (
      <th scope="col" class={className}>
        {labelOf(field)}
      </th>
    )
  const order = own === undefined ? 'none' : own === name ? 'ascending' : 'descending'
  return (
    <th scope="col" class={className} aria-sort={order}>
      <button type="button" title={text.list.sortBy(labelOf(field))} onClick={change}>
        {labelOf(field)} {order === 'ascending' ? '▲' : order === 'descending' ? '▼' : ''}
      </button>
    </th>
  )
}

function queryOf(query: URLSearchParams, filters: readonly ListFilter[]): Record<string, string> {
  const given = ['sort', 'search', 'cursor'].flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries([
    ...given,
    ...filters.map((filter) => [parameterOf(filter), filter.value] as const),
  ])
}

/** The chosen columns, or the first ones and the time of creation. */
function columnsOf(entity: EntityDescription, chosen: string | null): FieldDescription[] {
  const fields = allFields(entity)
  if (chosen !== null) {
    const names = chosen.split(',')
    return fields.filter(({ name }) => names.includes(name))
  }
  const title = fields.filter(({ name }) => name === entity.title)
  const others = fields.filter(
    ({ name }) => name !== entity.title && name !== 'updatedAt' && name !== 'createdAt',
  )
  const created = fields.filter(({ name }) => name === 'createdAt')
  return [...title, ...others.slice(0, usualColumns - title.length - 1), ...created]
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
