/** How much a tenant uses the service, with a bar for each hour or day. */
import { useState } from 'preact/hooks'
import { get } from '../../api.ts'
import { BarChart } from '../../component/bar-chart.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { Segments } from '../../component/segments.tsx'
import { useLoaded } from '../../load.ts'
import { language, numbers, text } from '../../text/text.ts'

const texts = text.operator.usage
const formats = {
  hours: new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }),
  days: new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
} as const
const ranges = ['hours', 'days'] as const

interface Period {
  from: string
  requests: number
  errors: number
  signIns: number
}

/** @param path of the tenant in the API */
export function TenantUsage({ path }: { path: string }) {
  const [range, setRange] = useState<keyof typeof formats>('days')
  const address = `${path}/usage`
  const { data, error, reload } = useLoaded(address, (signal) =>
    get<Record<(typeof ranges)[number], Period[]>>(address, { signal }),
  )
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  return (
    <section class="card stack" aria-busy={data === null}>
      <div class="row">
        <h2>{texts.title}</h2>
        <Segments
          label={texts.range}
          options={ranges.map((each) => [each, texts[each]])}
          value={range}
          onChange={setRange}
        />
      </div>
      <Bars periods={data?.[range] ?? []} format={formats[range]} />
      <p class="note">{texts.explained}</p>
    </section>
  )
}

/** The bars. Room for them is reserved while they are loaded. */
function Bars({ periods, format }: { periods: readonly Period[]; format: Intl.DateTimeFormat }) {
  const sum = (name: 'requests' | 'errors' | 'signIns') =>
    numbers.format(periods.reduce((total, period) => total + period[name], 0))
  return (
    <>
      <dl class="figure-row">
        <Figure value={sum('requests')} label={texts.requests} kind="of-good" />
        <Figure value={sum('errors')} label={texts.errors} kind="of-bad" />
        <Figure value={sum('signIns')} label={texts.signIns} />
      </dl>
      <BarChart
        label={texts.summary(sum('requests'), sum('errors'))}
        names={{ span: texts.span, good: texts.answered, bad: texts.errors }}
        bars={periods.map(({ from, requests, errors }) => ({
          label: format.format(new Date(from)),
          good: requests - errors,
          bad: errors,
        }))}
      />
    </>
  )
}

export function Figure({ value, label, kind }: { value: string; label: string; kind?: string }) {
  return (
    <div>
      <dd class="figure">{value}</dd>
      <dt class={kind}>{label}</dt>
    </div>
  )
}
