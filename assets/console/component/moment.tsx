/** A time, as people read it. */
import { language, text } from '../text/text.ts'

const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })

export function Moment({ value }: { value: string | null }) {
  if (value === null) return <span class="soft">{text.state.none}</span>
  return <time dateTime={value}>{format.format(new Date(value))}</time>
}
