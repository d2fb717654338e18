/** A line over time, with what it is now and at most. */
import { language, text } from '../../text/text.ts'

const width = 180
const height = 40
const step = 3

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })

interface ChartProps {
  label: string
  /** Oldest first; `null` for a moment without a value. */
  values: readonly (number | null)[]
  /** @param shown a number as people read it */
  format?: (shown: string) => string
}

export function Chart({ label, values, format = (shown) => shown }: ChartProps) {
  const known = values.filter((value) => value !== null)
  const most = Math.max(...known, 0)
  const now = values.at(-1) ?? null
  const written = (value: number) => format(number.format(value))
  const summary =
    known.length === 0
      ? text.operator.figures.waiting
      : text.operator.figures.atMost(now === null ? text.state.none : written(now), written(most))
  return (
    <figure class="card chart">
      <figcaption>
        <strong>{label}</strong>
        <span class="soft">{summary}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${summary}`}
      >
        <path d={pathOf(values, most)} />
      </svg>
    </figure>
  )
}

/** The newest value is at the right; moments without a value interrupt the line. */
function pathOf(values: readonly (number | null)[], most: number): string {
  const left = width - (values.length - 1) * step
  let isDrawing = false
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const y = most === 0 ? height - 1 : height - 1 - (value / most) * (height - 2)
      const command = `${isDrawing ? 'L' : 'M'}${left + index * step} ${y.toFixed(1)}`
      isDrawing = true
      return command
    })
    .join('')
}
