/** Creates rows from a file of JSON or CSV, after a preview, with a report of what was refused. */
import { Upload } from 'lucide'
import { useMemo, useState } from 'preact/hooks'
import { Field } from '../../component/field.tsx'
import { messageOf } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import type { EntityDescription } from '../../describe.ts'
import { useTitle } from '../../shell/title.ts'
import { text } from '../../text/text.ts'
import { createRow } from '../rows.ts'
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
  const [isBusy, setBusy] = useState(false)
  const title = text.importer.title(entity.labels)
  useTitle(title)
  const prepared = useMemo(() => source && readSource(entity, source), [entity, source])
  const open = async (file: File | undefined) => {
    if (file === undefined) return
    setReport(null)
    setSource(await openSource(entity, file))
  }
  const create = async ({ columns, rows, refused }: Prepared) => {
    setBusy(true)
    const all = refused.map(refusalOf)
    for (const { values, line, cells } of rows)
      await createRow(entity, values).catch((caught: unknown) =>
        all.push({ line, cells, reason: messageOf(caught) }),
      )
    setReport({
      done: rows.length + refused.length - all.length,
      refused: all.toSorted((one, other) => one.line - other.line),
      columns,
      separator: source?.separator ?? ',',
    })
    setSource(null)
    setBusy(false)
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
            disabled={isBusy}
            onChange={(event) => void open(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      {source !== null && (
        <Preview
          entity={entity}
          source={source}
          prepared={prepared}
          isBusy={isBusy}
          onChange={setSource}
          onAccept={(accepted) => void create(accepted)}
        />
      )}
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
