/** The size of a tenant's data, table by table. */
import { get } from '../../api.ts'
import { bytesText } from '../../component/bytes.ts'
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { useLoaded } from '../../load.ts'
import { numbers, text } from '../../text/text.ts'

const texts = text.operator.size
const maxTables = 5

interface Measured {
  rows: number
  bytes: number
  isComplete: boolean
}

interface Size extends Measured {
  measuredAt: string
  databaseBytes: number | null
  tables: readonly (Measured & { name: string })[]
}

/** @param path of the tenant in the API */
export function TenantSize({ path }: { path: string }) {
  const address = `${path}/size`
  const { data, error, reload } = useLoaded(address, (signal) => get<Size>(address, { signal }))
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  return (
    <section class="card stack" aria-busy={data === null}>
      <h2>{texts.title}</h2>
      <dl class="figure-row">
        <div>
          <dd class="figure">{data === null ? '\u00a0' : estimateText(data, bytesText(data.bytes))}</dd>
          <dt>{texts.ofRows}</dt>
        </div>
        {data !== null && data.databaseBytes !== null && (
          <div>
            <dd class="figure">{bytesText(data.databaseBytes)}</dd>
            <dt>{texts.ofDatabase}</dt>
          </div>
        )}
      </dl>
      {data?.tables.length === 0 && <p class="soft">{texts.none}</p>}
      {data !== null && <Tables tables={data.tables} />}
      {data !== null && (
        <p class="note">
          {!data.isComplete && `${texts.partly} `}
          {texts.measured} <MomentInWords value={data.measuredAt} />.
        </p>
      )}
    </section>
  )
}

function Tables({ tables }: Pick<Size, 'tables'>) {
  const largest = Math.max(...tables.map(({ bytes }) => bytes), 1)
  const others = tables.slice(maxTables)
  return (
    <ul class="size-bars">
      {tables.slice(0, maxTables).map((table) => (
        <li key={table.name}>
          <span class="truncate">{table.name}</span>
          <span class="figures">{estimateText(table, bytesText(table.bytes))}</span>
          <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect class="ground" width={100} height={1} />
            <rect class="good" width={Math.max((100 * table.bytes) / largest, 0.5)} height={1} />
          </svg>
          <span class="note">{texts.rows(estimateText(table, numbers.format(table.rows)), table.rows)}</span>
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <span class="soft">{texts.others(others.length)}</span>
          <span class="figures soft">{bytesText(others.reduce((sum, { bytes }) => sum + bytes, 0))}</span>
        </li>
      )}
    </ul>
  )
}

/** @returns the text for a size; if counting was stopped, the size is at least so much */
function estimateText({ isComplete }: Measured, shown: string): string {
  return isComplete ? shown : texts.atLeast(shown)
}
