/** A bar chart of successes and failures: one bar for each span of time, with the failures on top. */
import { Table2 } from 'lucide'
import { useState } from 'preact/hooks'
import { text } from '../text/text.ts'
import { ScrollingTable } from './data-table.tsx'
import { Icon } from './icon.tsx'

export interface Bar {
  /** The beginning of the span, as people read it. */
  label: string
  good: number
  bad: number
}

interface BarChartProps {
  bars: readonly Bar[]
  /** The description of the chart for screen readers. */
  label: string
  names: { span: string; good: string; bad: string }
}

/** The distance from one bar to the next, and the width of a bar, in units of the picture. */
const step = 24
const width = 17
const height = 132
/** The gap between successes and failures. */
const gap = 1.5
/** The shortest part of a bar, so that few failures among many successes stay visible. */
const minLength = 2

export function BarChart({ bars, label, names }: BarChartProps) {
  const [isTable, setTable] = useState(false)
  /** How many bars there are from one label below the chart to the next, so that labels do not touch. */
  const every = Math.max(6, Math.ceil(bars.length / 6))
  const maximum = ceilingOf(Math.max(...bars.map(({ good, bad }) => good + bad), 0))
  return (
    <div class="bar-chart">
      <button
        type="button"
        class="only-icon"
        aria-pressed={isTable}
        aria-label={text.action.asTable}
        title={text.action.asTable}
        onClick={() => setTable(!isTable)}
      >
        <Icon node={Table2} />
      </button>
      {isTable ? (
        <AsTable bars={bars} label={label} names={names} />
      ) : (
        <div class="bar-chart-plot">
          <span class="axis" aria-hidden="true">
            {[maximum, maximum / 2, 0].map((value) => (
              <span key={value}>{value}</span>
            ))}
          </span>
          <svg
            viewBox={`0 0 ${bars.length * step} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={label}
          >
            {[0.5, height / 2, height - 0.5].map((y) => (
              <path key={y} class="rule" d={`M0 ${y}H${bars.length * step}`} />
            ))}
            {bars.map((bar, index) => (
              <BarOf key={bar.label} bar={bar} x={index * step} unit={(height - 4) / maximum} />
            ))}
          </svg>
          <span class="spans" aria-hidden="true">
            {bars.flatMap(({ label: span }, index) =>
              index % every === 0 ? [<span key={span}>{span}</span>] : [],
            )}
            <span>{text.state.now}</span>
          </span>
        </div>
      )}
    </div>
  )
}

function BarOf({ bar: { label, good, bad }, x, unit }: { bar: Bar; x: number; unit: number }) {
  const lengthOf = (count: number) => (count === 0 ? 0 : Math.max(count * unit, minLength))
  const left = x + (step - width) / 2
  const goodTop = height - lengthOf(good)
  return (
    <g>
      <title>{text.state.bar(label, good, bad)}</title>
      <rect class="ground" x={x} y={0} width={step} height={height} />
      <rect class="good" x={left} y={goodTop} width={width} height={lengthOf(good)} rx={1.5} />
      <rect
        class="bad"
        x={left}
        y={goodTop - lengthOf(bad) - (good > 0 && bad > 0 ? gap : 0)}
        width={width}
        height={lengthOf(bad)}
        rx={1.5}
      />
    </g>
  )
}

function AsTable({ bars, label, names }: BarChartProps) {
  return (
    <ScrollingTable label={label} isLoading={false}>
      <thead>
        <tr>
          <th scope="col">{names.span}</th>
          <th scope="col" class="number">
            {names.good}
          </th>
          <th scope="col" class="number">
            {names.bad}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label: span, good, bad }) => (
          <tr key={span}>
            <td>{span}</td>
            <td class="number">{good}</td>
            <td class="number">{bad}</td>
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  )
}

/** @returns an even number with one or two digits before its zeros, so that its half is a number that people read */
export function ceilingOf(maximum: number): number {
  if (maximum <= 2) return 2
  const unit = 10 ** Math.floor(Math.log10(maximum))
  const steps = [1, 2, 4, 6, 8, 10].map((each) => each * unit)
  return steps.find((each) => each >= maximum) ?? 10 * unit
}
