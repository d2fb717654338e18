/** Creates rows from a file of JSON or CSV, after a preview, with a report of what was refused. */
import { useState } from 'preact/hooks'
import { changedNumber, parseKeepingNumbers } from '../../../src/core/schema/exact-number.ts'
import { Field } from '../component/field.tsx'
import { ErrorNotice, messageOf } from '../component/notice.tsx'
import type { EntityDescription, FieldDescription } from '../describe.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { parseCsv } from './csv.ts'
import type { Values } from './fields.tsx'
import { createRow } from './rows.ts'

interface Refusal {
  line: number
  reason: string
}

const previewRows = 5

export function ImportPage({ entity }: { entity: EntityDescription }) {
  const [rows, setRows] = useState<readonly Values[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [report, setReport] = useState<{ done: number; refused: readonly Refusal[] } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    setReport(null)
    setError(null)
    try {
      setRows(rowsOf(entity, file.name, await file.text()))
    } catch {
      setRows(null)
      setError(new Error(text.importer.unreadable))
    }
  }
  const create = async (all: readonly Values[]) => {
    setBusy(true)
    const refused: Refusal[] = []
    for (const [index, row] of all.entries())
      await createRow(entity, row).catch((caught: unknown) =>
        refused.push({ line: index + 1, reason: messageOf(caught) }),
      )
    setReport({ done: all.length - refused.length, refused })
    setRows(null)
    setBusy(false)
  }
  return (
    <div class="stack">
      <h1>{text.importer.title(entity.labels)}</h1>
      <Field label={text.action.upload} hint={text.importer.hint}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.json,text/csv,application/json"
            onChange={(event) => void read(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      {error !== null && <ErrorNotice error={error} />}
      {rows !== null && (
        <>
          <p>{text.importer.rows(rows.length)}</p>
          <pre>
            {rows
              .slice(0, previewRows)
              .map((row) => JSON.stringify(row))
              .join('\n')}
          </pre>
          <div class="row">
            <button type="button" class="main" disabled={isBusy} onClick={() => void create(rows)}>
              {text.importer.start(rows.length)}
            </button>
          </div>
        </>
      )}
      {report !== null && <Report {...report} />}
      <p>
        <a href={hrefOf(`/entities/${entity.name}`)}>{entity.labels}</a>
      </p>
    </div>
  )
}

function Report({ done, refused }: { done: number; refused: readonly Refusal[] }) {
  return (
    <>
      <p class="notice" role="status">
        {text.importer.done(done, refused.length)}
      </p>
      {refused.length > 0 && (
        <div class="table">
          <table>
            <thead>
              <tr>
                <th scope="col">{text.importer.line}</th>
                <th scope="col">{text.importer.reason}</th>
              </tr>
            </thead>
            <tbody>
              {refused.map(({ line, reason }) => (
                <tr key={line}>
                  <td>{line}</td>
                  <td>{reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

/** The members that callers may give. @throws Error for a file that is neither */
function rowsOf(entity: EntityDescription, fileName: string, content: string): Values[] {
  const fields = new Map(
    entity.fields.filter(({ isReadOnly }) => !isReadOnly).map((field) => [field.name, field]),
  )
  const chosen = (row: Values) => Object.fromEntries(Object.entries(row).filter(([name]) => fields.has(name)))
  if (fileName.endsWith('.json')) {
    const parsed = parseKeepingNumbers(content)
    if (!Array.isArray(parsed)) throw new Error('no list')
    return parsed.map((row: Values) => chosen(row))
  }
  const [names = [], ...lines] = parseCsv(content)
  return lines.map((line) => {
    const cells = names.flatMap((name, index) => {
      const field = fields.get(name)
      return field === undefined ? [] : [[name, cellValue(field, line[index] ?? '')] as const]
    })
    return Object.fromEntries(cells.filter(([, value]) => value !== undefined))
  })
}

/** @returns `undefined` for an empty cell, which leaves the member out */
function cellValue({ kind }: FieldDescription, cell: string): unknown {
  if (cell === '') return undefined
  switch (kind) {
    case 'integer':
    case 'money':
      // The service refuses text: it says what is wrong with it.
      return Number.isNaN(Number(cell)) || changedNumber(cell) !== null ? cell : Number(cell)
    case 'boolean':
      return /^(true|1|yes)$/i.test(cell)
    case 'json':
    case 'many':
      return parseKeepingNumbers(cell)
    case 'text':
      return cell.replace(/^'(?=[=+\-@])/, '')
    default:
      return cell
  }
}
