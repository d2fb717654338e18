/** The history of a row: who changed what, with buttons that restore a version. */
import { ArrowRight, CirclePlus, History as HistoryIcon, Pencil, RotateCcw, Trash2, Undo2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { nextCursor, request } from '../api.ts'
import { ActionButton } from '../component/action-button.tsx'
import { Icon } from '../component/icon.tsx'
import { MomentInWords } from '../component/moment-in-words.tsx'
import { Empty, ErrorNotice } from '../component/notice.tsx'
import { toast } from '../component/toast.tsx'
import { actionLabelOf, type EntityDescription, labelOf, pathOf, words } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { text } from '../text/text.ts'
import { isLong } from './layout.ts'
import type { StoredRow } from './rows.ts'
import { Value } from './value.tsx'

const texts = text.record.history
const pageSize = '20'

/** An entry of `GET /api/<plural>/:id/history`. */
interface HistoryEntry {
  version: number
  at: string
  action: string | null
  actorId: string | null
  actorName: string | null
  impersonatorId: string | null
  impersonatorName: string | null
  restoredFrom: number | null
  changes: Readonly<Record<string, { before: unknown; after: unknown }>>
}

interface HistoryPage {
  entries: readonly HistoryEntry[]
  next: string | null
}

interface HistoryProps {
  entity: EntityDescription
  stored: StoredRow
  /** Called after a version was restored. */
  onRestored: () => void
}

export function RowHistory(props: HistoryProps) {
  const { entity, stored } = props
  const path = historyPath(entity, stored.row.id)
  const { data, error, reload } = useLoaded(`${path} ${stored.etag}`, (signal) =>
    loadHistory(path, null, signal),
  )
  /** The pages after the first. A new version moves their beginning, so they are then forgotten. */
  const [further, setFurther] = useState<HistoryPage | null>(null)
  useEffect(() => setFurther(null), [data])
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <p class="soft">{text.state.loading}</p>
  const entries = [...data.entries, ...(further?.entries ?? [])]
  const next = (further ?? data).next
  const more = async () => {
    const page = await loadHistory(path, next)
    setFurther({ entries: [...(further?.entries ?? []), ...page.entries], next: page.next })
  }
  if (entries.length === 0)
    return (
      <Empty>
        <p>{texts.none}</p>
      </Empty>
    )
  const [newest] = entries
  return (
    <div class="stack">
      <ol class="timeline">
        {entries.map((entry) => (
          <Entry
            key={entry.version}
            entry={entry}
            isNewest={entry === newest}
            newest={newest?.version ?? 0}
            {...props}
          />
        ))}
      </ol>
      {next !== null && (
        <div class="row">
          <ActionButton act={more}>{text.action.more}</ActionButton>
        </div>
      )}
    </div>
  )
}

const icons = { created: CirclePlus, updated: Pencil, deleted: Trash2, restored: RotateCcw } as const

interface EntryProps extends HistoryProps {
  entry: HistoryEntry
  isNewest: boolean
  newest: number
}

function Entry({ entry, isNewest, newest, entity, stored, onRestored }: EntryProps) {
  const { version, at, action, changes } = entry
  const restore = async (from: number, fields?: readonly string[]) => {
    await restoreVersion(entity, stored, from, fields)
    onRestored()
    toast(texts.restored, {
      undo: async () => {
        await restoreVersion(entity, { row: stored.row, etag: null }, newest, fields)
        onRestored()
      },
    })
  }
  const icon =
    action !== null && Object.hasOwn(icons, action) ? icons[action as keyof typeof icons] : HistoryIcon
  // The service does not say who made the first version.
  const isAnonymous = action === 'created' && entry.actorId === null
  const mayRestore = entity.operations.change !== undefined && action !== 'deleted'
  return (
    <li>
      <span class="timeline-icon">
        <Icon node={icon} />
      </span>
      <div class="names wide">
        <span class="row">
          <span>
            {isAnonymous ? (
              <strong>{texts.begun}</strong>
            ) : (
              <>
                <strong>{whoOf(entry)}</strong> {verbOf(entity, entry)}
              </>
            )}
          </span>
          <span class="note">
            <MomentInWords value={at} />
          </span>
        </span>
        {Object.entries(changes).map(([name, change]) => (
          <ChangeLine
            key={name}
            entity={entity}
            name={name}
            change={change}
            putBack={mayRestore && version > 1 ? () => restore(version - 1, [name]) : null}
          />
        ))}
      </div>
      {mayRestore && !isNewest && (
        <ActionButton kind="plain" act={() => restore(version)}>
          {texts.restore}
          <span class="hidden"> {version}</span>
        </ActionButton>
      )}
    </li>
  )
}

interface ChangeLineProps {
  entity: EntityDescription
  name: string
  change: { before: unknown; after: unknown }
  putBack: (() => Promise<void>) | null
}

function ChangeLine({ entity, name, change: { before, after }, putBack }: ChangeLineProps) {
  const field = entity.fields.find((each) => each.name === name)
  const label = field === undefined ? words(name) : labelOf(field)
  const show = (value: unknown) =>
    field === undefined ? (
      <code>{JSON.stringify(value)}</code>
    ) : (
      <Value field={field} value={value} entity={entity} />
    )
  const isBlock = field !== undefined && isLong(field)
  return (
    <div class={isBlock ? 'change is-block' : 'change'}>
      <span class="soft">{label}</span>
      <del tabIndex={isBlock ? 0 : undefined}>{show(before)}</del>
      <Icon node={ArrowRight} />
      <ins tabIndex={isBlock ? 0 : undefined}>{show(after)}</ins>
      {putBack !== null && (
        <ActionButton kind="plain" act={putBack}>
          <Icon node={Undo2} />
          <span class="hidden">{text.form.putBack(label)}</span>
        </ActionButton>
      )}
    </div>
  )
}

function whoOf({ actorName, actorId, impersonatorName, impersonatorId }: HistoryEntry): string {
  const actor = actorName ?? (actorId === null ? texts.service : texts.someone)
  return impersonatorId === null ? actor : texts.acting(impersonatorName ?? texts.someone, actor)
}

function verbOf({ actions }: EntityDescription, { action, restoredFrom, changes }: HistoryEntry): string {
  if (restoredFrom !== null) return texts.restoredFrom(restoredFrom)
  if (action === null) return texts.unknown
  if (Object.hasOwn(texts.verbs, action)) return texts.verbs[action] ?? action
  const known = actions.find(({ name }) => name === action)
  return Object.keys(changes).length === 0 && known === undefined
    ? texts.unknown
    : texts.acted(known === undefined ? words(action) : actionLabelOf(known))
}

function historyPath({ operations }: EntityDescription, id: string): string {
  const { get } = operations
  return get === undefined ? `${operations.list?.path}/${id}/history` : `${pathOf(get, id)}/history`
}

/** @throws ApiError */
async function loadHistory(path: string, cursor: string | null, signal?: AbortSignal): Promise<HistoryPage> {
  const { body, headers } = await request<HistoryEntry[]>('GET', path, {
    query: { limit: pageSize, cursor: cursor ?? undefined },
    ...(signal !== undefined && { signal }),
  })
  return { entries: body, next: nextCursor(headers) }
}

/** @param fields those to restore; all if absent @throws ApiError */
async function restoreVersion(
  entity: EntityDescription,
  { row, etag }: StoredRow,
  version: number,
  fields?: readonly string[],
): Promise<void> {
  await request('POST', `${historyPath(entity, row.id)}/${version}/restore`, {
    body: fields === undefined ? {} : { fields },
    headers: etag === null ? {} : { 'if-match': etag },
  })
}
