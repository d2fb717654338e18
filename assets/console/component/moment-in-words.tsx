/** A time in words; the whole of it, with the zone, appears under the pointer and with the focus. */
import { useState } from 'preact/hooks'
import { absoluteTime, relativeDay, relativeTime } from '../relative-time.ts'
import { language, text } from '../text/text.ts'

/** @param value `null` for none */
export function MomentInWords({ value }: { value: string | null }) {
  const [now] = useState(() => new Date())
  if (value === null) return <span class="soft">{text.state.none}</span>
  const moment = new Date(value)
  if (Number.isNaN(moment.getTime())) return <>{value}</>
  return (
    <time class="in-words" dateTime={value}>
      <span>{relativeTime(moment, now, language)}</span>
      <span class="whole">{absoluteTime(moment, language)}</span>
    </time>
  )
}

export function DayInWords({ value }: { value: string }) {
  return <time dateTime={value}>{relativeDay(value, new Date(), language)}</time>
}

/** For a sentence that is read once, such as until when something is valid. @param value anything else stays as it is */
export function formatMoment(value: string): string {
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? value : absoluteTime(moment, language)
}
