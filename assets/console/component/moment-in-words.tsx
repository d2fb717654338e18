/** A time in words; the whole of it, with the zone, appears under the pointer and with the focus. */
import { useState } from 'preact/hooks'
import { absoluteTime, relativeDay, relativeTime } from '../relative-time.ts'
import { language } from '../text/text.ts'

export function MomentInWords({ value }: { value: string }) {
  const [now] = useState(() => new Date())
  const moment = new Date(value)
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
