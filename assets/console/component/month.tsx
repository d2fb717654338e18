/** The head of every calendar of a month: its name with buttons to other months, and the names of the weekdays. */
import { ChevronLeft, ChevronRight } from 'lucide'
import { capital } from '../describe.ts'
import { language, text } from '../text/text.ts'
import { monthAfter } from './calendar-days.ts'
import { Icon } from './icon.tsx'

const utc = { timeZone: 'UTC' } as const
const months = new Intl.DateTimeFormat(language, { ...utc, month: 'long', year: 'numeric' })
const weekdays = new Intl.DateTimeFormat(language, { ...utc, weekday: 'short' })
const days = new Intl.DateTimeFormat(language, { ...utc, day: 'numeric', month: 'long', weekday: 'long' })

/** @param day such as `2026-01-31` */
export function dayName(day: string): string {
  return days.format(new Date(day))
}

interface HeadProps {
  /** The month, such as `2026-01`. */
  month: string
  /** @param next `null` for today */
  go: (next: string | null) => void
}

export function MonthHead({ month, go }: HeadProps) {
  const step = (label: string, by: number, icon: typeof ChevronLeft) => (
    <button
      type="button"
      class="plain only-icon"
      aria-label={label}
      onClick={() => go(monthAfter(month, by))}
    >
      <Icon node={icon} />
    </button>
  )
  return (
    <div class="row month-head">
      <h2 aria-live="polite">{capital(months.format(new Date(month)))}</h2>
      <span class="end row">
        {step(text.table.earlier, -1, ChevronLeft)}
        <button type="button" onClick={() => go(null)}>
          {text.table.thisDay}
        </button>
        {step(text.table.later, 1, ChevronRight)}
      </span>
    </div>
  )
}

export function WeekdayRow({ week }: { week: readonly string[] | undefined }) {
  return (
    <thead>
      <tr>
        {week?.map((day) => (
          <th scope="col" key={day}>
            {weekdays.format(new Date(day))}
          </th>
        ))}
      </tr>
    </thead>
  )
}
