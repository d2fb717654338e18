/**
 * A calendar from which a day is chosen: the keys are those of the date picker of the ARIA Authoring Practices
 * Guide.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { localTime } from '../relative-time.ts'
import { language, text } from '../text/text.ts'
import { dayByKey, dayInMonth, firstDayOf, weeksOf } from './calendar-days.ts'
import { isDay } from './day-text.ts'
import { dayName, MonthHead, WeekdayRow } from './month.tsx'
import { Popover } from './popover.tsx'

interface PickerProps {
  anchor: Element | null
  /** The chosen day, or anything else for none. */
  value: string
  onPick: (day: string) => void
  onClose: () => void
}

/** @returns the present day in the user's time zone */
export function today(): string {
  return localTime(new Date()).slice(0, 10)
}

export function DayPicker({ anchor, value, onPick, onClose }: PickerProps) {
  const [active, setActive] = useState(isDay(value) ? value : today())
  const grid = useRef<HTMLTableElement>(null)
  // After a button of the head is used, that button keeps the focus.
  const isMoved = useRef(true)
  useLayoutEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [active])
  const firstDay = firstDayOf(language)
  const month = active.slice(0, 7)
  const weeks = weeksOf(month, firstDay)
  const press = (event: KeyboardEvent) => {
    event.stopPropagation() // the same keys have another meaning in a surrounding table
    if (!(event.target instanceof HTMLTableCellElement)) return
    const next = dayByKey(event.key, event.shiftKey, active, firstDay)
    if (next !== null) {
      isMoved.current = true
      setActive(next)
    } else if (event.key === 'Enter' || event.key === ' ') onPick(active)
    else return
    event.preventDefault()
  }
  const go = (next: string | null) => {
    if (next === null) return onPick(today())
    if (!isDay(`${next}-01`)) return
    isMoved.current = false
    setActive(dayInMonth(active, next < month ? -1 : 1))
  }
  return (
    <Popover anchor={anchor} label={text.form.chooseDay} onClose={onClose} class="day-picker">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the days inside */}
      <div
        onKeyDown={press}
        onFocusOut={({ currentTarget, relatedTarget }) => {
          if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) onClose()
        }}
      >
        <MonthHead month={month} go={go} />
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells have the focus
          role="grid"
          aria-label={text.form.chooseDay}
        >
          <WeekdayRow week={weeks[0]} />
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.filter(isDay).map((day) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the table has the keys
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid can be selected
                  <td
                    key={day}
                    tabIndex={day === active ? 0 : -1}
                    aria-label={dayName(day)}
                    aria-selected={day === value}
                    aria-current={day === today() ? 'date' : undefined}
                    class={day.startsWith(month) ? undefined : 'soft'}
                    onClick={() => onPick(day)}
                  >
                    {Number(day.slice(8))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Popover>
  )
}
