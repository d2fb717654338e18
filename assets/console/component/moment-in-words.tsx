/** Shows a time in words, such as `3 hours ago`. The exact time with its zone appears under the pointer. */
import { absoluteTime, relativeDay, relativeTime } from '../relative-time.ts'
import { language, text } from '../text/text.ts'

/** @param value ISO 8601; `null` for no moment */
export function MomentInWords({ value }: { value: string | null }) {
  if (value === null) return <span class="soft">{text.state.none}</span>
  const moment = new Date(value)
  if (Number.isNaN(moment.getTime())) return <>{value}</>
  return (
    <time class="in-words" dateTime={value}>
      <span>{relativeTime(moment, new Date(), language)}</span>
      <span class="whole">{absoluteTime(moment, language)}</span>
    </time>
  )
}

export function DayInWords({ value }: { value: string }) {
  return <time dateTime={value}>{relativeDay(value, new Date(), language)}</time>
}

/** @returns the exact time, for sentences such as until when something is valid; any other text as it is */
export function formatMoment(value: string): string {
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? value : absoluteTime(moment, language)
}
