/** Charts of the last hours of the instance that replies: requests as bars, everything else as lines. */
import type { ComponentChildren } from 'preact'
import { get } from '../../api.ts'
import { BarChart } from '../../component/bar-chart.tsx'
import { Loading } from '../../component/loading.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { useLoaded } from '../../load.ts'
import { language, numbers, text } from '../../text/text.ts'
import type { Point } from './figure.ts'
import { Figure } from './usage.tsx'

const texts = text.operator.figures
const { usage } = text.operator
const path = '/api/figures/history'
const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })

export type RangeName = '1h' | '6h' | '24h'

interface History {
  host: string
  aliveInstances: number
  from: string
  spanSeconds: number
  spans: readonly (Span | null)[]
}

interface Span {
  requests: number
  errors: number
  meanMs: number | null
  p99Ms: number | null
  residentBytes: number
  waiting: Pick<Point, 'deliveries' | 'jobs' | 'mails'> | null
}

interface PastFiguresProps {
  range: RangeName
  /** Whether the requests have a chart of their own. */
  isWhole: boolean
  show: (points: readonly Point[]) => ComponentChildren
}

export function PastFigures({ range, isWhole, show }: PastFiguresProps) {
  const { data, error, reload } = useLoaded(`${path} ${range}`, (signal) =>
    get<History>(path, { query: { range }, signal }),
  )
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <Loading />
  return (
    <>
      {isWhole && <Requests history={data} />}
      {show(data.spans.map((span) => pointOf(span, data.spanSeconds)))}
      <p class="note">{texts.ofInstance(data.host, data.aliveInstances)}</p>
    </>
  )
}

function Requests({ history: { from, spanSeconds, spans } }: { history: History }) {
  const sum = (name: 'requests' | 'errors') =>
    numbers.format(spans.reduce((total, span) => total + (span?.[name] ?? 0), 0))
  const [requests, errors] = [sum('requests'), sum('errors')]
  return (
    <section class="card stack">
      <dl class="figure-row">
        <Figure value={requests} label={usage.requests} kind="of-good" />
        <Figure value={errors} label={usage.errors} kind="of-bad" />
      </dl>
      <BarChart
        label={usage.summary(requests, errors)}
        names={{ span: usage.span, good: usage.answered, bad: usage.errors }}
        bars={spans.map((span, index) => ({
          label: time.format(Date.parse(from) + index * spanSeconds * 1000),
          good: (span?.requests ?? 0) - (span?.errors ?? 0),
          bad: span?.errors ?? 0,
        }))}
      />
    </section>
  )
}

const noPoint: Point = {
  requests: null,
  errors: null,
  meanMs: null,
  p99Ms: null,
  megabytes: null,
  deliveries: null,
  jobs: null,
  mails: null,
}

function pointOf(span: Span | null, seconds: number): Point {
  if (span === null) return noPoint
  const { requests, errors, meanMs, p99Ms, residentBytes, waiting } = span
  return {
    ...noPoint,
    ...waiting,
    requests: requests / seconds,
    errors: errors / seconds,
    meanMs,
    p99Ms,
    megabytes: residentBytes / 1024 / 1024,
  }
}
