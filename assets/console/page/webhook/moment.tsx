import { language, text } from '../../text/text.ts'

const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })

export function Moment({ value }: { value: string | null }) {
  if (value === null) return <span class="soft">{text.state.none}</span>
  return <time dateTime={value}>{formatMoment(value)}</time>
}

export function formatMoment(value: string): string {
  return moments.format(new Date(value))
}

/** As an input of a browser has it, which shows the local time. */
export function localTime(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
