/** What the definition says of a row below its title, such as `#41 · Nordic Timber`. */
import { useApp } from '../app-context.ts'
import { type EntityDescription, type Row, titleOf, wordOf } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { loadRow } from './rows.ts'

export function Subtitle({ entity, row }: { entity: EntityDescription; row: Row }) {
  const template = entity.console?.subtitle
  if (template === undefined) return null
  const parts = template.split(/\{(\w+(?:\.\w+)?)\}/)
  return (
    <span class="soft truncate">
      {parts.map((part, index) =>
        index % 2 === 0 ? part : <Member key={part} entity={entity} row={row} path={part} />,
      )}
    </span>
  )
}

function Member({ entity, row, path }: { entity: EntityDescription; row: Row; path: string }) {
  const { entities } = useApp()
  const [name, step] = path.split('.')
  const field = entity.fields.find((each) => (each.relation ?? each.name) === name)
  const target = entities.find((each) => each.name === field?.entity)
  const value = row[field?.name ?? '']
  const isRead = target?.operations.get !== undefined && typeof value === 'string'
  const { data } = useLoaded<Row | null>(`${target?.name}/${isRead ? value : ''}`, () =>
    isRead ? loadRow(target, value) : Promise.resolve(null),
  )
  if (field === undefined || value === null || value === undefined) return <>–</>
  if (field.kind === 'enum') return <>{wordOf(field, value)}</>
  if (target === undefined) return <>{String(value)}</>
  if (data === null) return <>…</>
  return <>{step === undefined ? titleOf(target, data) : String(data[step] ?? '–')}</>
}
