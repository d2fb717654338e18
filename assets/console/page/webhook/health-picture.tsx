/** A chart of a subscription's last 24 hours: a bar per hour, with successes above the line and failures below it. */
import { get } from '../../api.ts'
import { BarChart } from '../../component/bar-chart.tsx'
import { useLoaded } from '../../load.ts'
import { language, text } from '../../text/text.ts'
import type { Health } from './types.ts'

const step = 10
const barWidth = 8
const height = 40
/** The distance of the line from the top. */
const line = 25
/** The minimum length of a bar, so that a few among many stay visible. */
const minLength = 2

const hourFormat = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })

export function HealthPicture({
  subscriptionId,
  isLarge = false,
}: {
  subscriptionId: string
  isLarge?: boolean
}) {
  const { data, error } = useLoaded<Health>(subscriptionId, (signal) =>
    get(`/api/webhooks/subscriptions/${subscriptionId}/health`, { signal }),
  )
  const { health } = text.webhook
  if (error !== null) return <span class="soft">{health.unknown}</span>
  if (data === null) return <svg class={isLarge ? 'health large' : 'health'} aria-hidden="true" />
  const sum = (count: (hour: Health['hours'][number]) => number) =>
    data.hours.reduce((total, hour) => total + count(hour), 0)
  const summary = health.summary(
    sum(({ delivered }) => delivered),
    sum(({ failed }) => failed),
  )
  if (isLarge) return <LargePicture health={data} label={summary} />
  return (
    <figure class="health">
      <Bars hours={data.hours} label={summary} />
      <figcaption class="soft">
        {summary} {!data.isComplete && health.newest}
      </figcaption>
    </figure>
  )
}

function LargePicture({ health: { hours }, label }: { health: Health; label: string }) {
  const { health } = text.webhook
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0)
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0)
  const all = delivered + failed
  return (
    <>
      <dl class="figure-row">
        <div>
          <dd class="figure">{all === 0 ? text.state.none : share.format(delivered / all)}</dd>
          <dt>{health.share}</dt>
        </div>
        <div>
          <dd class="figure">{delivered}</dd>
          <dt class="of-good">{health.delivered}</dt>
        </div>
        <div>
          <dd class="figure">{failed}</dd>
          <dt class="of-bad">{health.failed}</dt>
        </div>
      </dl>
      <BarChart
        label={label}
        names={{ span: health.span, good: health.delivered, bad: health.failed }}
        bars={hours.map((hour) => ({
          label: hourFormat.format(new Date(hour.hour)),
          good: hour.delivered,
          bad: hour.failed,
        }))}
      />
    </>
  )
}

const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })

function Bars({ hours, label }: { hours: Health['hours']; label: string }) {
  const mostDelivered = Math.max(...hours.map(({ delivered }) => delivered))
  const mostFailed = Math.max(...hours.map(({ failed }) => failed))
  const unit = Math.min(line / Math.max(mostDelivered, 1), (height - line - 1) / Math.max(mostFailed, 1))
  const lengthOf = (count: number) => (count === 0 ? 0 : Math.max(count * unit, minLength))
  return (
    <svg
      viewBox={`0 0 ${hours.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {hours.map(({ hour, delivered, failed }, index) => (
        <g key={hour}>
          <title>{text.webhook.health.hour(hourFormat.format(new Date(hour)), delivered, failed)}</title>
          <rect class="ground" x={index * step} y={0} width={step} height={height} />
          <rect
            class="good"
            x={index * step}
            y={line - lengthOf(delivered)}
            width={barWidth}
            height={lengthOf(delivered)}
          />
          <rect class="bad" x={index * step} y={line + 1} width={barWidth} height={lengthOf(failed)} />
        </g>
      ))}
      <rect class="line" x={0} y={line} width={hours.length * step} height={1} />
    </svg>
  )
}
