/** The value of a field in a cell of a list: one line, empty if there is no value. */
import { Check } from 'lucide'
import { useApp } from '../app-context.ts'
import { Icon } from '../component/icon.tsx'
import { DayInWords, MomentInWords } from '../component/moment-in-words.tsx'
import { Tile } from '../component/tile.tsx'
import {
  type EntityDescription,
  type FieldDescription,
  lineOf,
  type Row,
  titleOf,
  wordOf,
} from '../describe.ts'
import { useLoaded } from '../load.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { Marked } from './marked.tsx'
import { loadRow } from './rows.ts'
import { toneOf } from './tone.ts'
import { useUserName } from './user-reference.tsx'
import { Value } from './value.tsx'

interface CellProps {
  entity: EntityDescription
  field: FieldDescription
  value: unknown
  /** The words of the list's search, which are marked in the value. */
  search?: string
}

/** Longer texts are cut, because a cell has no room for them. */
const maxLetters = 300

export function CellValue({ entity, field, value, search = '' }: CellProps) {
  if (value === null || value === undefined || value === '')
    return <span class="hidden">{text.table.empty}</span>
  switch (field.kind) {
    case 'boolean':
      return <Flag isSet={value === true} />
    case 'date':
      return <DayInWords value={String(value)} />
    case 'timestamp':
      return <MomentInWords value={String(value)} />
    case 'enum':
      return <span class={`badge ${toneOf(entity, field, value)}`}>{wordOf(field, value)}</span>
    case 'reference':
      if (field.entity === 'user') return <NamedUser id={String(value)} />
      if (field.entity !== 'file') return <NamedRow name={field.entity} id={String(value)} />
      return <Value field={field} value={value} />
    case 'text':
      if (field.widget?.kind === 'secret' || field.widget?.kind === 'color')
        return <Value field={field} value={value} />
      return <Marked words={lineOf(field, String(value))} search={search} />
    case 'json':
      return <code>{JSON.stringify(value).slice(0, maxLetters)}</code>
    default:
      return <Value field={field} value={value} />
  }
}

function Flag({ isSet }: { isSet: boolean }) {
  return (
    <>
      {isSet && <Icon node={Check} />}
      <span class="hidden">{isSet ? text.state.yes : text.state.no}</span>
    </>
  )
}

function NamedRow({ name, id }: { name: string | null; id: string }) {
  const entity = useApp().entities.find((each) => each.name === name)
  const { data, isLoading } = useLoaded<Row | null>(`${name}/${id}`, async () =>
    entity === undefined ? null : loadRow(entity, id),
  )
  if (entity === undefined) return <code>{id}</code>
  if (data === null) return <span class="soft">{isLoading ? '…' : text.record.unreadable(entity.label)}</span>
  return <Named name={titleOf(entity, data)} href={`/entities/${entity.name}/${id}`} isRound={false} />
}

function NamedUser({ id }: { id: string }) {
  const name = useUserName(id)
  return name === null ? <code>{id}</code> : <Named name={name} href={`/users/${id}`} isRound />
}

function Named({ name, href, isRound }: { name: string; href: string; isRound: boolean }) {
  return (
    <a class="named" href={hrefOf(href)} tabIndex={-1}>
      <Tile name={name} size="small" isRound={isRound} />
      <span class="truncate">{name}</span>
    </a>
  )
}
