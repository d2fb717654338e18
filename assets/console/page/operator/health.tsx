/** The page with the most important charts, and with the tenants that need attention, the worst first. */
import { CircleCheck } from 'lucide'
import { get } from '../../api.ts'
import { Icon } from '../../component/icon.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { Attention, type HealthOfTenant } from './attention.tsx'
import { FigureCharts } from './figure-charts.tsx'

const texts = text.operator.health

export function HealthPage() {
  const path = '/api/tenant-health'
  const { data, error, reload } = useLoaded(path, (signal) =>
    get<HealthOfTenant[]>(path, { signal, query: { limit: '200' } }),
  )
  return (
    <div class="stack">
      <PageHead icon={CircleCheck} title={texts.title}>
        <button type="button" onClick={reload}>
          {texts.reload}
        </button>
      </PageHead>
      <FigureCharts count={4} />
      <div class="row">
        <h2>{texts.attention}</h2>
        {data !== null && data.length > 0 && <span class="soft end">{texts.of(data.length)}</span>}
      </div>
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {data?.length === 0 && (
        <p class="card row soft">
          <Icon node={CircleCheck} class="good" />
          {texts.none}
        </p>
      )}
      {data !== null && data.length > 0 && <Attention tenants={data} />}
      <p class="note">{texts.age}</p>
    </div>
  )
}
