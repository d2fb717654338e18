/** What the service does now: a few figures every few seconds, each as a small chart. */
import { useEffect, useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { ErrorNotice } from '../../component/notice.tsx'
import { text } from '../../text/text.ts'
import { Chart } from './chart.tsx'
import { type Figures, type Point, pointOf } from './figure.ts'

const texts = text.operator.figures

const everyMs = 3000
/** Three minutes. */
const maxPoints = 60

export function FiguresPage() {
  const { points, error, retry } = usePoints()
  return (
    <div class="stack">
      <h1>{texts.title}</h1>
      <p class="soft">{texts.explained}</p>
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      <div class="charts" aria-busy={points.length === 0 && error === null}>
        <Chart
          label={texts.requests}
          values={points.map(({ requests }) => requests)}
          format={texts.perSecond}
        />
        <Chart label={texts.errors} values={points.map(({ errors }) => errors)} format={texts.perSecond} />
        <Chart label={texts.mean} values={points.map(({ meanMs }) => meanMs)} format={texts.milliseconds} />
        <Chart label={texts.p99} values={points.map(({ p99Ms }) => p99Ms)} format={texts.milliseconds} />
        <Chart
          label={texts.memory}
          values={points.map(({ megabytes }) => megabytes)}
          format={texts.megabytes}
        />
        <Chart label={texts.deliveries} values={points.map(({ deliveries }) => deliveries)} />
        <Chart label={texts.jobs} values={points.map(({ jobs }) => jobs)} />
        <Chart label={texts.mails} values={points.map(({ mails }) => mails)} />
      </div>
    </div>
  )
}

/** Asks while the page is seen: a tab in the background causes no requests. */
function usePoints(): { points: readonly Point[]; error: unknown; retry: () => void } {
  const [points, setPoints] = useState<readonly Point[]>([])
  const [error, setError] = useState<unknown>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    /** By instance: behind a load balancer, each reply may be of another one. */
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
