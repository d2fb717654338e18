/** The buttons to the previous and the next row, in the list from which the user opened this row. */
import { ChevronDown, ChevronUp } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { nextCursor, request } from '../api.ts'
import { Icon } from '../component/icon.tsx'
import type { EntityDescription } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { cameFrom, goTo, hrefOf } from '../router.ts'
import { useTopActions } from '../shell/top-actions.ts'
import { singleKeyOf } from '../single-keys.ts'
import { numbers, text } from '../text/text.ts'
import { filtersIn } from './filter.ts'
import { arranged, layoutOf } from './list-layout.ts'
import { queryOf } from './list-state.ts'

/** The number of pages that are searched for the row. Users that go from row to row rarely go further. */
const maxPages = 5
const pageSize = '200'

export interface Neighbours {
  /** The position of the row in the list; the first is 1. */
  place: number
  total: number | null
  previous: string | null
  next: string | null
}

/** Shows the buttons in the bar above the page. The keys J and K do the same. */
export function useNeighbours(entity: EntityDescription, id: string): void {
  const from = listOf(entity)
  const { data } = useLoaded(`${from}#${id}`, (signal) =>
    from === null ? Promise.resolve(null) : findNeighbours(entity, from, id, signal),
  )
  const open = (other: string | null) => {
    if (other !== null) goTo(hrefOf(`/entities/${entity.name}/${other}`), { from })
  }
  const latest = useRef(open)
  latest.current = open
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = singleKeyOf(event)
      if (key === 'j') latest.current(data?.next ?? null)
      if (key === 'k') latest.current(data?.previous ?? null)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [data])
  useTopActions(
    `${data === null} ${data?.place} ${data?.total} ${id}`,
    data === null ? null : <NeighbourButtons neighbours={data} open={open} />,
  )
}

interface ButtonsProps {
  neighbours: Neighbours
  open: (id: string | null) => void
}

function NeighbourButtons({ neighbours: { place, total, previous, next }, open }: ButtonsProps) {
  return (
    <span class="neighbours">
      {total !== null && (
        <span class="soft figures">{text.record.place(numbers.format(place), numbers.format(total))}</span>
      )}
      <button
        type="button"
        class="only-icon small"
        aria-label={text.record.previous}
        disabled={previous === null}
        onClick={() => open(previous)}
      >
        <Icon node={ChevronUp} />
      </button>
      <button
        type="button"
        class="only-icon small"
        aria-label={text.record.next}
        disabled={next === null}
        onClick={() => open(next)}
      >
        <Icon node={ChevronDown} />
      </button>
    </span>
  )
}

/** @returns the address of the list from which the user came */
function listOf({ name }: EntityDescription): string | null {
  const from = cameFrom()
  if (from === null) return null
  const { pathname } = new URL(from, location.href)
  return pathname === new URL(hrefOf(`/entities/${name}`), location.href).pathname ? from : null
}

async function findNeighbours(
  entity: EntityDescription,
  from: string,
  id: string,
  signal: AbortSignal,
): Promise<Neighbours | null> {
  const { list } = entity.operations
  if (list === undefined) return null
  const { searchParams } = new URL(from, location.href)
  searchParams.delete('cursor')
  const filters = filtersIn(entity, searchParams)
  const query = arranged(layoutOf(entity, searchParams), queryOf(entity, searchParams, filters))
  const ids: string[] = []
  let cursor: string | null = null
  let total: number | null = null
  for (let page = 0; page < maxPages; page++) {
    const { body, headers } = await request<{ id: string }[]>('GET', list.path, {
      query: { ...query, limit: pageSize, fields: 'id', count: 'true', cursor: cursor ?? undefined },
      signal,
    })
    const counted = headers.get('x-total-count')
    if (page === 0 && counted !== null) total = Number(counted)
    ids.push(...body.map((row) => row.id))
    cursor = nextCursor(headers)
    const found = neighboursIn(ids, id, total, cursor === null)
    if (found !== null || cursor === null) return found
  }
  return null
}

/** @returns `null` if these ids do not contain the row, or end with it although there are more pages */
function neighboursIn(
  ids: readonly string[],
  id: string,
  total: number | null,
  isLastPage: boolean,
): Neighbours | null {
  const place = ids.indexOf(id)
  if (place === -1 || (place === ids.length - 1 && !isLastPage)) return null
  return { place: place + 1, total, previous: ids[place - 1] ?? null, next: ids[place + 1] ?? null }
}
