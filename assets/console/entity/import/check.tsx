/** The rows of a file are tried by the service, before they are created. */
import { useState } from 'preact/hooks'
import { errorIn, type Problem, request } from '../../api.ts'
import { ErrorNotice, messageOf } from '../../component/notice.tsx'
import type { EntityDescription } from '../../describe.ts'
import { text } from '../../text/text.ts'
import type { Prepared } from './prepare.ts'
import { Refusals } from './refusals.tsx'
import type { Refusal } from './refused-lines.ts'

const { importer } = text
/** The service tries so many within its time. */
const rowsAtOnce = 200

interface CheckProps {
  entity: EntityDescription
  prepared: Prepared
  separator: string
  isBusy: boolean
  onAccept: (prepared: Prepared) => void
}

interface Checked {
  of: Prepared
  refused?: readonly Refusal[]
  error?: unknown
}

export function Check({ entity, prepared, separator, isBusy, onAccept }: CheckProps) {
  const [found, setFound] = useState<Checked | null>(null)
  const [isChecking, setChecking] = useState(false)
  // Read in another way, it is to be checked again.
  const { refused, error } = found?.of === prepared ? found : {}
  const { rows, columns } = prepared
  const isChecked = refused !== undefined || entity.hasBulk !== true
  const check = async () => {
    setChecking(true)
    const result = await tryRows(entity, prepared).then(
      (faulty) => ({ of: prepared, refused: faulty }),
      (caught: unknown) => ({ of: prepared, error: caught }),
    )
    setFound(result)
    setChecking(false)
  }
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} />}
      {refused !== undefined && (
        <>
          <p class="notice" role="status">
            {importer.checked(rows.length - refused.length, refused.length)}
          </p>
          <Refusals {...{ columns, refused, separator }} name={`${entity.plural}-refused.csv`} />
        </>
      )}
      <div class="row">
        {entity.hasBulk === true && (
          <button
            type="button"
            class={isChecked ? '' : 'main'}
            disabled={isBusy || isChecking}
            onClick={() => void check()}
          >
            {importer.check}
          </button>
        )}
        <button
          type="button"
          class={isChecked ? 'main' : ''}
          disabled={isBusy || isChecking}
          onClick={() => onAccept(prepared)}
        >
          {importer.start(rows.length)}
        </button>
      </div>
    </>
  )
}

interface Report {
  rows: readonly { error?: Problem & { status: number } }[]
}

/** @throws ApiError */
async function tryRows({ operations }: EntityDescription, { rows }: Prepared): Promise<Refusal[]> {
  const refused: Refusal[] = []
  let from = 0
  while (from < rows.length) {
    const some = rows.slice(from, from + rowsAtOnce)
    const body = { do: 'create', dryRun: true, rows: some.map(({ values }) => values) }
    const report = (await request<Report>('POST', `${operations.create?.path}/bulk`, { body })).body
    const untried = report.rows.findIndex(({ error }) => error?.status === 503)
    // Those that the service had no time for are tried by the next request, if it had time for one.
    const tried = untried > 0 ? some.slice(0, untried) : some
    for (const [index, { line, cells }] of tried.entries()) {
      const { error } = report.rows[index] ?? {}
      if (error === undefined) continue
      refused.push({ line, cells, reason: messageOf(errorIn(error, { status: error.status })) })
    }
    from += tried.length
  }
  return refused
}
