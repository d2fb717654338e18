/**
 * The heading of a column. By the pointer or by keys, it sorts the list, changes the column's width, and moves the
 * column.
 */
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide'
import { useRef } from 'preact/hooks'
import { Icon } from '../component/icon.tsx'
import { type FieldDescription, labelOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { isNumber } from './value.tsx'
import { clampWidth, widthStep } from './widths.ts'

interface HeadingProps {
  field: FieldDescription
  /** Whether its cells show the titles of the rows. */
  isTitle: boolean
  tabIndex: 0 | -1
  hint: string
  sort: string
  onSort: (sort: string) => void
  width: number
  /** @param width `null` for the usual width of the field's kind */
  onWidth: (width: number | null) => void
  /** @param to a number of places to move by, or the name of the column that is dropped here */
  onMove: (to: number | string) => void
}

export function ColumnHeading({
  field,
  isTitle,
  tabIndex,
  hint,
  sort,
  onSort,
  width,
  onWidth,
  onMove,
}: HeadingProps) {
  const { name } = field
  const own = sort.split(',').find((each) => each === name || each === `-${name}`) ?? null
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.altKey && step !== undefined) {
      if (event.shiftKey) onMove(step)
      else onWidth(clampWidth(width + step * widthStep))
    } else if ((event.key === 'Enter' || event.key === ' ') && isSorted(field))
      onSort(nextSort(sort, field, event.shiftKey))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <th
      scope="col"
      class={isNumber(field) && !isTitle ? 'number' : undefined}
      tabIndex={tabIndex}
      aria-sort={own === null ? undefined : own === name ? 'ascending' : 'descending'}
      aria-describedby={hint}
      onKeyDown={press}
      draggable
      onDragStart={(event) => event.dataTransfer?.setData('text/x-column', name)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const dragged = event.dataTransfer?.getData('text/x-column') ?? ''
        if (dragged !== '') onMove(dragged)
      }}
    >
      {isSorted(field) ? (
        <button
          type="button"
          tabIndex={-1}
          title={text.list.sortBy(labelOf(field))}
          onClick={(event) => onSort(nextSort(sort, field, event.shiftKey))}
        >
          <span class="truncate">{labelOf(field)}</span>
          <Icon
            node={own === null ? ArrowUpDown : own === name ? ArrowUp : ArrowDown}
            class={own === null ? 'sort unsorted' : 'sort'}
          />
        </button>
      ) : (
        <span class="truncate">{labelOf(field)}</span>
      )}
      <Handle width={width} onWidth={onWidth} />
    </th>
  )
}

/** The handle to drag the width. With the keyboard, Alt with the arrows changes it. */
function Handle({ width, onWidth }: Pick<HeadingProps, 'width' | 'onWidth'>) {
  const start = useRef<{ x: number; width: number } | null>(null)
  return (
    <span
      class="resize"
      aria-hidden="true"
      draggable
      onDragStart={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
      }}
      onPointerMove={(event) => {
        if (start.current !== null) onWidth(clampWidth(start.current.width + event.clientX - start.current.x))
      }}
      onPointerUp={() => {
        start.current = null
      }}
      onDblClick={() => onWidth(null)}
    />
  )
}

function isSorted({ kind }: FieldDescription): boolean {
  return kind !== 'many' && kind !== 'json'
}

/**
 * @returns the next sort: ascending, then descending, then without the field
 * @param keepsOthers whether the sort keeps its other fields
 */
export function nextSort(sort: string, { name }: FieldDescription, keepsOthers: boolean): string {
  const keys = sort === '' ? [] : sort.split(',')
  const own = keys.find((each) => each === name || each === `-${name}`)
  const others = keepsOthers ? keys.filter((each) => each !== own) : []
  const next = own === undefined ? [name] : own === name ? [`-${name}`] : []
  return [...others, ...next].join(',')
}
