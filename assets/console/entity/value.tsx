/** The value of a field, as people read it. */
import { get } from '../api.ts'

import { useApp } from '../app-context.ts'
import type { FieldDescription, Row } from '../describe.ts'
import { titleOf } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { hrefOf } from '../router.ts'
import { language, text } from '../text/text.ts'
import { loadRow } from './rows.ts'
import { UserName } from './user-reference.tsx'

const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
const amounts = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

export function isNumber({ kind }: FieldDescription): boolean {
  return kind === 'integer' || kind === 'money' || kind === 'sequence'
}

export function Value({ field, value }: { field: FieldDescription; value: unknown }) {
  if (value === null || value === undefined || value === '')
    return <span class="soft">{text.state.none}</span>
  switch (field.kind) {
    case 'boolean':
      return <>{value === true ? text.state.yes : text.state.no}</>
    case 'integer':
    case 'sequence':
      return <>{numbers.format(Number(value))}</>
    case 'money':
      return <>{amounts.format(Number(value))}</>
    case 'date':
      return <>{days.format(new Date(String(value)))}</>
    case 'timestamp':
      return <time dateTime={String(value)}>{moments.format(new Date(String(value)))}</time>
    case 'enum':
      return <span class="badge">{String(value)}</span>
    case 'reference':
      if (field.entity === 'file') return <FileLink id={String(value)} />
      if (field.entity === 'user') return <UserName id={String(value)} />
      return <Reference field={field} id={String(value)} />
    case 'many':
      return <>{Array.isArray(value) ? numbers.format(value.length) : null}</>
    case 'json':
      return <code>{JSON.stringify(value)}</code>
    default:
      return <>{String(value)}</>
  }
}

function Reference({ field, id }: { field: FieldDescription; id: string }) {
  const { entities } = useApp()
  const entity = entities.find(({ name }) => name === field.entity)
  const { data } = useLoaded<Row | null>(`${field.entity}/${id}`, () =>
    entity?.operations.get === undefined ? Promise.resolve(null) : loadRow(entity, id),
  )
  if (entity === undefined) return <code>{id}</code>
  return <a href={hrefOf(`/entities/${entity.name}/${id}`)}>{data === null ? '…' : titleOf(entity, data)}</a>
}

function FileLink({ id }: { id: string }) {
  const { data } = useLoaded<{ url: string }>(`file/${id}`, () => loadFileLink(id))
  if (data === null) return <code>{id}</code>
  return (
    <a href={data.url} target="_blank" rel="noreferrer">
      {text.form.file}
    </a>
  )
}

function loadFileLink(id: string): Promise<{ url: string }> {
  return get<{ url: string }>(`/api/files/${id}/link`)
}
