/**
 * The layout of a list as a month with rows on its days. To change its day, a row is dragged, or its date is edited.
 */
import { useState } from 'preact/hooks'
import { firstDayOf, weeksOf } from '../component/calendar-days.ts'
import { today } from '../component/day-picker.tsx'
import { dayName, MonthHead, WeekdayRow } from '../component/month.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import { type EntityDescription, type FieldDescription, type Row, titleOf } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { hrefOf } from '../router.ts'
import { language, numbers, text } from '../text/text.ts'
import { AnchoredEditor } from './anchored-editor.tsx'
import { useCellEditing } from './cell-editing.ts'
import { boardKeys } from './layout-keys.ts'
import type { LayoutProps } from './layout-props.ts'
import { withinDays } from './list-layout.ts'
import { loadPage } from './rows.ts'
import { useReport } from './shown-rows.ts'
import { toneOf } from './tone.ts'

/** The largest page of the service. */
const shownRows = 200
const shownOfDay = 4
const noRows: readonly Row[] = []

export function CalendarLayout({ entity, address, field, report }: LayoutProps) {
  const given = address.query.get('month') ?? ''
  const month = /^(?!0000|9999)\d{4}-(0[1-9]|1[0-2])$/.test(given) ? given : today().slice(0, 7)
  const weeks = weeksOf(month, firstDayOf(language))
  const { cursor: _cursor, ...request } = address.request
  const name = field?.name ?? ''
  const asked = {
    ...withinDays(request, name, [weeks[0]?.[0] ?? '', weeks.at(-1)?.[6] ?? '']),
    sort: name,
  }
  const { data, error, isLoading, reload } = useLoaded(
    `calendar/${entity.name}/${JSON.stringify(asked)}`,
    (signal) => loadPage(entity, { ...asked, limit: `${shownRows}`, count: 'true' }, signal),
  )
  const total = data?.total ?? null
  useReport(report, { rows: data?.rows ?? noRows, total, reload })
  const editing = useCellEditing(entity, data, reload)
  const rows = (data?.rows ?? noRows).map(editing.shown)
  if (field === null) return null
  const canMove = editing.canEdit(field)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows inside have the focus
    <div
      class={isLoading ? 'calendar is-loading' : 'calendar'}
      aria-busy={isLoading}
      onKeyDown={boardKeys({ rows, address, edit: canMove ? (row) => editing.begin(row, field) : null })}
    >
      <MonthHead month={month} go={(next) => address.show({ month: next }, { replaces: true })} />
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {total !== null && total > shownRows && (
        <p class="notice warn">{text.table.manyRows(numbers.format(shownRows))}</p>
      )}
      <MonthTable
        {...{ entity, field, month, weeks, rows, canMove }}
        onDrop={(row, day) => editing.change(row, field, day)}
      />
      <AnchoredEditor entity={entity} editing={editing} />
    </div>
  )
}

interface MonthProps {
  entity: EntityDescription
  field: FieldDescription
  month: string
  weeks: readonly (readonly string[])[]
  rows: readonly Row[]
  canMove: boolean
  onDrop: (row: Row, day: string) => void
}

function MonthTable({ entity, field, month, weeks, rows, canMove, onDrop }: MonthProps) {
  const [dragged, setDragged] = useState<Row | null>(null)
  const [target, setTarget] = useState<string | null>(null)
  const byDay = Map.groupBy(rows, (row) => row[field.name])
  const drop = (day: string) => {
    if (dragged !== null) onDrop(dragged, day)
    setDragged(null)
    setTarget(null)
  }
  return (
    <table class="month">
      <WeekdayRow week={weeks[0]} />
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td
                key={day}
                class={[
                  day === today() && 'is-today',
                  !day.startsWith(month) && 'is-outside',
                  dragged !== null && target === day && 'is-target',
                ]
                  .filter(Boolean)
                  .join(' ')}
                aria-label={dayName(day)}
                onDragOver={(event) => {
                  if (dragged === null) return
                  event.preventDefault()
                  setTarget(day)
                }}
                onDrop={(event) => {
                  event.preventDefault()
                  drop(day)
                }}
              >
                <span class="day figures">{Number(day.slice(8))}</span>
                <span class="day-name">{dayName(day)}</span>
                <DayRows {...{ entity, canMove, setDragged }} rows={byDay.get(day) ?? noRows} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface DayProps {
  entity: EntityDescription
  rows: readonly Row[]
  canMove: boolean
  setDragged: (row: Row | null) => void
}

function DayRows({ entity, rows, canMove, setDragged }: DayProps) {
  const [isWhole, setWhole] = useState(false)
  const toned = entity.fields.find(
    ({ kind, name }) =>
      kind === 'enum' && entity.console?.badges?.some((badge) => badge.name === name) === true,
  )
  const shown = isWhole ? rows : rows.slice(0, shownOfDay)
  return (
    <ul class="board-cards">
      {shown.map((row) => (
        <li
          key={row.id}
          data-row={row.id}
          draggable={canMove}
          onDragStart={(event) => {
            event.dataTransfer?.setData('text/plain', titleOf(entity, row))
            setDragged(row)
          }}
          onDragEnd={() => setDragged(null)}
        >
          <a
            class={`day-row ${toned === undefined ? 'neutral' : toneOf(entity, toned, row[toned.name])}`}
            href={hrefOf(`/entities/${entity.name}/${row.id}`)}
          >
            {titleOf(entity, row)}
          </a>
        </li>
      ))}
      {rows.length > shown.length && (
        <li>
          <button type="button" class="link" onClick={() => setWhole(true)}>
            {text.table.moreRows(rows.length - shown.length)}
          </button>
        </li>
      )}
    </ul>
  )
}
