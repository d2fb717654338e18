/**
 * A small line chart over time, with a dot at the present value. It has no axis, because text beside it has the
 * numbers.
 */
interface SparklineProps {
  /** The values, the oldest first; `null` for a moment without a value. */
  values: readonly (number | null)[]
  /** The description for screen readers. */
  label: string
  /** How many values fit into the width. Fewer values begin further right. The default is their number. */
  capacity?: number
}

const width = 180
const height = 40

export function Sparkline({ values, label, capacity = values.length }: SparklineProps) {
  const points = pointsOf(values, Math.max(capacity, 2))
  const [end] = points.slice(-1)
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {runsOf(points).map((run) => (
        <path key={`ground ${run[0]?.x}`} class="ground" d={`${lineOf(run)}V${height}H${run[0]?.x ?? 0}Z`} />
      ))}
      <path d={runsOf(points).map(lineOf).join('')} />
      {end?.y != null && <path class="end" d={`M${end.x} ${end.y}h0`} />}
    </svg>
  )
}

interface Point {
  x: number
  y: number | null
}

/** The newest value is at the right. The ends keep half the width of a line from the edges. */
function pointsOf(values: readonly (number | null)[], capacity: number): Point[] {
  const maximum = Math.max(...values.map((value) => value ?? 0), 0)
  const step = (width - 8) / (capacity - 1)
  const left = width - 4 - (values.length - 1) * step
  return values.map((value, index) => ({
    x: rounded(left + index * step),
    y: value === null ? null : rounded(height - 2 - (maximum === 0 ? 0 : value / maximum) * (height - 8)),
  }))
}

/** Moments without a value interrupt the line. */
function runsOf(points: readonly Point[]): Point[][] {
  const runs: Point[][] = [[]]
  for (const point of points) {
    if (point.y === null) runs.push([])
    else runs.at(-1)?.push(point)
  }
  return runs.filter((run) => run.length > 0)
}

function lineOf(run: readonly Point[]): string {
  return run.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
