/** Chooses the row or the user to which a field refers. */
import { useContext } from 'preact/hooks'
import { type App, useApp } from '../app-context.ts'
import type { ControlProps } from '../component/field.tsx'
import type { Option } from '../component/option-list.tsx'
import { Picker, type PickerSource } from '../component/picker.tsx'
import { type EntityDescription, type FieldDescription, type Row, titleOf } from '../describe.ts'
import { visitsOf } from '../shell/visits.ts'
import { text } from '../text/text.ts'
import { type AskForRow, NewRowContext } from './new-row-context.ts'
import { loadPage, loadRow } from './rows.ts'
import { subtitleOf } from './subtitle.ts'
import { userSource } from './user-reference.tsx'

interface PickerProps {
  field: Pick<FieldDescription, 'entity'>
  control: ControlProps
  value: unknown
  onChange: (id: string | null) => void
  /** Whether `me` is offered, for a filter, which accepts the user who asks. */
  offersMe?: boolean
}

export function ReferencePicker(props: PickerProps) {
  const { field, control, value, onChange, offersMe = false } = props
  const app = useApp()
  const askForRow = useContext(NewRowContext)
  const entity = app.entities.find(({ name }) => name === field.entity)
  const ofUsers = field.entity === 'user' ? sourceOfUsers(app, offersMe) : null
  const source = entity === undefined ? ofUsers : sourceOf(entity, app, askForRow)
  if (source !== null) return <Picker source={source} control={control} value={value} onChange={onChange} />
  return (
    <input
      {...control}
      value={typeof value === 'string' ? value : ''}
      onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  )
}

const maxOffered = 8

function sourceOfUsers({ user, can }: App, offersMe: boolean): PickerSource | null {
  const fixed = offersMe ? [['me', text.table.me] as const] : []
  const source = { ...userSource(user.tenantId), fixed }
  if (can('user:read')) return source
  return offersMe ? { ...source, find: async () => [], nameOf: async () => null } : null
}

function sourceOf(entity: EntityDescription, app: App, askForRow: AskForRow | null): PickerSource {
  const optionOf = async (row: Row): Promise<Option> => [
    row.id,
    titleOf(entity, row),
    await subtitleOf(entity, row, app.entities),
    ...textsOf(entity, row),
  ]
  return {
    ...(askForRow !== null &&
      entity.operations.create !== undefined && {
        create: {
          label: text.action.newRow(entity.label),
          ask: async (typed) => {
            const row = await askForRow(entity, typed)
            return row === null ? null : [row.id, titleOf(entity, row)]
          },
        },
      }),
    label: entity.labels,
    find: async (typed, signal) => {
      const [recent, { rows }] = await Promise.all([
        typed === '' ? loadRecent(entity, app.user.id, signal) : [],
        loadPage(entity, { limit: `${maxOffered}`, ...searchFor(entity, typed) }, signal),
      ])
      const found = new Map([...recent, ...rows].map((row) => [row.id, row]))
      return Promise.all([...found.values()].slice(0, maxOffered).map(optionOf))
    },
    nameOf: async (id) => {
      const row = await loadRow(entity, id)
      return row === null ? null : titleOf(entity, row)
    },
  }
}

/** @returns the texts that find the row if they are typed in full, such as its number or mail address */
function textsOf({ fields }: EntityDescription, row: Row): string[] {
  return fields.flatMap(({ name, kind }) => (kind === 'text' ? [String(row[name] ?? '')] : []))
}

/** @returns the rows that the user opened before, the last one first @throws ApiError */
async function loadRecent(entity: EntityDescription, userId: string, signal: AbortSignal): Promise<Row[]> {
  const ids = visitsOf(userId).flatMap(({ path }) => {
    const [, , name, id = ''] = path.split('/')
    return name === entity.name && uuid.test(id) ? [id] : []
  })
  if (ids.length === 0) return []
  const chosen = ids.slice(0, maxOffered)
  const { rows } = await loadPage(entity, { 'id[in]': chosen.join(',') }, signal)
  return chosen.flatMap((id) => rows.find((row) => row.id === id) ?? [])
}

const uuid = /^[\da-f-]{36}$/

function searchFor(entity: EntityDescription, words: string): Record<string, string> {
  if (words === '') return {}
  if (entity.isSearched) return { search: words }
  const title = entity.fields.find(({ name }) => name === entity.title)
  if (title?.kind === 'text') return { [`${title.name}[icontains]`]: words }
  return /^\d+$/.test(words) && title !== undefined ? { [title.name]: words } : {}
}
