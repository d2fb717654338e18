/** The page that creates rows from a JSON or CSV file, after a preview, with a report of the refused rows. */
import { Upload } from 'lucide'
import { useMemo, useRef, useState } from 'preact/hooks'
import { Field } from '../../component/field.tsx'
import { PageHead } from '../../component/page-head.tsx'
import type { EntityDescription } from '../../describe.ts'
import { useTitle } from '../../shell/title.ts'
import { numbers, text } from '../../text/text.ts'
import { createRows } from './create-rows.ts'
import type { Prepared } from './prepare.ts'
import { Preview } from './preview.tsx'
import { Refusals, refusalOf } from './refusals.tsx'
import type { Refusal } from './refused-lines.ts'
import { openSource, readSource, type Source } from './source.ts'

interface Report {
  done: number
  refused: readonly Refusal[]
  columns: readonly string[]
  separator: string
}

export function ImportPage({ entity }: { entity: EntityDescription }) {
  const [source, setSource] = useState<Source | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  /** How many of all rows are sent; `null` while nothing is being sent. */
  const [progress, setProgress] = useState<readonly [sent: number, all: number] | null>(null)
  const isStopped = useRef(false)
  const title = text.importer.title(entity.labels)
  useTitle(title)
  const prepared = useMemo(() => source && readSource(entity, source), [entity, source])
  const open = async (file: File | undefined) => {
    if (file === undefined) return
    setReport(null)
    setSource(await openSource(entity, file))
  }
  const create = async ({ columns, rows, refused }: Prepared) => {
    isStopped.current = false
    setProgress([0, rows.length])
    const faulty = await createRows(entity, rows, {
      onProgress: (sent) => setProgress([sent, rows.length]),
      isStopped: () => isStopped.current,
    })
    const all = [...refused.map(refusalOf), ...faulty]
    setReport({
      done: rows.length + refused.length - all.length,
      refused: all.toSorted((one, other) => one.line - other.line),
      columns,
      separator: source?.separator ?? ',',
    })
    setSource(null)
    setProgress(null)
  }
  return (
    <div class="stack">
      <PageHead icon={Upload} title={title} />
      <Field label={text.action.upload} hint={text.importer.hint}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.tsv,.txt,.json,text/csv,application/json"
            disabled={progress !== null}
            onChange={(event) => void open(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      {source !== null && (
        <Preview
          entity={entity}
          source={source}
          prepared={prepared}
          isBusy={progress !== null}
          onChange={setSource}
          onAccept={(accepted) => void create(accepted)}
        />
      )}
      {progress !== null && <Progress of={progress} onStop={() => (isStopped.current = true)} />}
      {report !== null && (
        <>
          <p class="notice" role="status">
            {text.importer.done(report.done, report.refused.length)}
          </p>
          <Refusals {...report} name={`${entity.plural}-refused.csv`} />
        </>
      )}
    </div>
  )
}

interface ProgressProps {
  of: readonly [sent: number, all: number]
  onStop: () => void
}

function Progress({ of: [sent, all], onStop }: ProgressProps) {
  const words = text.table.countOf(numbers.format(sent), numbers.format(all))
  return (
    <div class="row">
      <progress value={sent} max={all} aria-label={words} />
      <span role="status" class="figures">
        {words}
      </span>
      <button type="button" onClick={onStop}>
        {text.importer.stop}
      </button>
    </div>
  )
}
