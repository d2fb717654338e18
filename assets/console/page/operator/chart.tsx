/** A figure with its current value, and a chart of its former values. */
import { Sparkline } from '../../component/sparkline.tsx'
import { language, text } from '../../text/text.ts'

/** The number of values in three minutes, with one every three seconds. */
export const maxPoints = 60

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })

interface ChartProps {
  label: string
  /** The values, oldest first; `null` for a moment without a value. */
  values: readonly (number | null)[]
  /** The number of values for which the chart has room. */
  capacity: number
  /** @param shown a formatted number */
  format?: (shown: string) => string
}

export function Chart({ label, values, capacity, format = (shown) => shown }: ChartProps) {
  const known = values.filter((value) => value !== null)
  const now = values.at(-1) ?? null
  const written = (value: number) => format(number.format(value))
  const maximum = written(Math.max(...known, 0))
  const summary =
    known.length === 0
      ? text.operator.figures.waiting
      : text.operator.figures.atMost(now === null ? text.state.none : written(now), maximum)
  return (
    <figure class="card chart">
      <figcaption>
        <span class="soft">{label}</span>
        <strong class="figure">{now === null ? text.state.none : written(now)}</strong>
        <span class="note">
          {known.length === 0 ? text.operator.figures.waiting : text.operator.figures.most(maximum)}
        </span>
      </figcaption>
      <Sparkline values={values} label={`${label}: ${summary}`} capacity={capacity} />
    </figure>
  )
}
