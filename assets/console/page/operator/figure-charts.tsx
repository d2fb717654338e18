/** Charts of the figures of the service, live every few seconds, or of an instance in the last hours. */
import { useEffect, useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { ErrorNotice } from '../../component/notice.tsx'
import { Segments } from '../../component/segments.tsx'
import { text } from '../../text/text.ts'
import { Chart, maxPoints } from './chart.tsx'
import { type Figures, type Point, pointOf } from './figure.ts'
import { PastFigures, type RangeName } from './past-figures.tsx'

const texts = text.operator.figures
const everyMs = 3000

const ranges: readonly (readonly [RangeName | 'live', string])[] = [
  ['live', texts.live],
  ['1h', texts.hours(1)],
  ['6h', texts.hours(6)],
  ['24h', texts.hours(24)],
]

const charts: readonly [label: string, figure: keyof Point, format?: (shown: string) => string][] = [
  [texts.requests, 'requests', texts.perSecond],
  [texts.p99, 'p99Ms', texts.milliseconds],
  [texts.errors, 'errors', texts.perSecond],
  [texts.memory, 'megabytes', texts.megabytes],
  [texts.deliveries, 'deliveries'],
  [texts.jobs, 'jobs'],
  [texts.mails, 'mails'],
  [texts.mean, 'meanMs', texts.milliseconds],
]

/** @param count the number of charts; the most useful ones are first */
export function FigureCharts({ count = charts.length }: { count?: number }) {
  const [range, setRange] = useState<RangeName | 'live'>('live')
  return (
    <>
      <div class="row">
        <Segments label={texts.range} options={ranges} value={range} onChange={setRange} />
      </div>
      {range === 'live' ? (
        <LiveFigures count={count} />
      ) : (
        <PastFigures
          range={range}
          isWhole={count === charts.length}
          show={(points) => <Charts points={points} count={count} capacity={points.length} />}
        />
      )}
    </>
  )
}

function LiveFigures({ count }: { count: number }) {
  const { points, error, retry } = usePoints()
  return (
    <>
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      <Charts points={points} count={count} isBusy={points.length === 0 && error === null} />
    </>
  )
}

interface ChartsProps {
  points: readonly Point[]
  count: number
  capacity?: number
  isBusy?: boolean
}

function Charts({ points, count, capacity = maxPoints, isBusy = false }: ChartsProps) {
  return (
    <div class="charts" aria-busy={isBusy}>
      {charts.slice(0, count).map(([label, figure, format]) => (
        <Chart
          key={figure}
          label={label}
          values={points.map((point) => point[figure])}
          capacity={capacity}
          {...(format && { format })}
        />
      ))}
    </div>
  )
}

/** Requests figures while the page is visible: a tab in the background sends no requests. */
function usePoints(): { points: readonly Point[]; error: unknown; retry: () => void } {
  const [points, setPoints] = useState<readonly Point[]>([])
  const [error, setError] = useState<unknown>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    /** The last figures of each instance: behind a load balancer, each reply may come from another one. */
    const last = new Map<string, Figures>()
    const ask = async () => {
      if (document.hidden) return
      const figures = await get<Figures>('/api/figures', { signal: abort.signal })
      const before = last.get(figures.instanceId)
      last.set(figures.instanceId, figures)
      setError(null)
      setPoints((known) => [...known, pointOf(figures, before)].slice(-maxPoints))
    }
    const poll = () =>
      void ask().catch((caught: unknown) => {
        if (!abort.signal.aborted) setError(caught)
      })
    poll()
    const timer = setInterval(poll, everyMs)
    return () => {
      clearInterval(timer)
      abort.abort()
    }
  }, [turn])
  return { points, error, retry: () => setTurn(turn + 1) }
}
