/** Saves all rows of a list, with its filters and sort, as a JSON or CSV file. */
import { useState } from 'preact/hooks'
import { ErrorNotice } from '../component/notice.tsx'
import { allFields, type EntityDescription, type Row } from '../describe.ts'
import { text } from '../text/text.ts'
import { toCsv } from './csv.ts'
import { loadRows } from './rows.ts'

interface ExportProps {
  entity: EntityDescription
  query: Readonly<Record<string, string>>
}

export function ExportButtons({ entity, query }: ExportProps) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const save = async (format: 'csv' | 'json') => {
    setBusy(true)
    setError(null)
    try {
      const rows = await loadRows(entity, query)
      const names = ['id', ...allFields(entity).map(({ name }) => name)]
      const content =
        format === 'json'
          ? JSON.stringify(rows, null, 2)
          : toCsv(
              names,
              rows.map((row) => withJson(entity, row)),
            )
      const type = format === 'json' ? 'application/json' : 'text/csv'
      saveFile(new Blob([content], { type }), `${entity.plural}.${format}`)
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  return (
    <>
      {(['csv', 'json'] as const).map((format) => (
        <button type="button" key={format} disabled={isBusy} onClick={() => void save(format)}>
          {text.action.export} {format.toUpperCase()}
        </button>
      ))}
      {error !== null && <ErrorNotice error={error} />}
    </>
  )
}

/** @returns the row for CSV: a text of a `json` member is written as JSON, because the import reads it as JSON */
function withJson({ fields }: EntityDescription, row: Row): Row {
  const texts = fields.filter(({ name, kind }) => kind === 'json' && typeof row[name] === 'string')
  return { ...row, ...Object.fromEntries(texts.map(({ name }) => [name, JSON.stringify(row[name])])) }
}

export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
