/** The page of a row: its title, its actions, its values, the rows that refer to it, and its history. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { useApp } from '../app-context.ts'
import { ActionButton } from '../component/action-button.tsx'
import { draftOf } from '../component/draft.ts'
import { Loading } from '../component/loading.tsx'
import { ErrorNotice, messageOf } from '../component/notice.tsx'
import { type Tab, Tabs } from '../component/tabs.tsx'
import { toast } from '../component/toast.tsx'
import { capital, type EntityDescription, isRestorable, titleOf } from '../describe.ts'
import { ApplicationFrame, Panels } from '../frame/application-frame.tsx'
import { framesAt } from '../frame/frames.ts'
import { type Loaded, useLoaded } from '../load.ts'
import { RowAudit } from '../page/operation/row-audit.tsx'
import { goTo, hrefOf, usePlace, whenLeft } from '../router.ts'
import { useTitle } from '../shell/title.ts'
import { singleKeyOf } from '../single-keys.ts'
import { numbers, text } from '../text/text.ts'
import { restoreRow } from './deletion.ts'
import { useDraftKey } from './draft-key.ts'
import { EntityTile } from './entity-tile.tsx'
import { ChangeForm } from './form.tsx'
import { RowHistory } from './history.tsx'
import { useChanges } from './live.ts'
import { useNeighbours } from './neighbours.tsx'
import { RecordHead } from './record-head.tsx'
import { RelatedRows } from './related.tsx'
import { loadRelated, relationsOf } from './relations.ts'
import { RowActions } from './row-actions.tsx'
import { RowValues } from './row-values.tsx'
import { loadRecord, loadStored, type Page, type StoredRow } from './rows.ts'

export function RowDetail({ entity, id }: { entity: EntityDescription; id: string }) {
  /** Another number loads the row again. */
  const [turn, setTurn] = useState(0)
  const loaded = useLoaded(`${entity.name}/${id}/${turn}`, () => loadRecord(entity, id))
  /** The row as it was saved here, until it is loaded again. */
  const [saved, setSaved] = useState<StoredRow | null>(null)
  const key = useDraftKey(entity, id)
  // A draft of the row is continued in its form.
  const [isEditing, setEditing] = useState(
    () => entity.operations.change !== undefined && draftOf(key) !== null,
  )
  const [hasChanged, setChanged] = useState(false)
  const reload = () => {
    setSaved(null)
    setChanged(false)
    setTurn((count) => count + 1)
  }
  /** The tag of the newest version that this page knows. A reported change with this tag is the user's own. */
  const known = useRef<string | null>(null)
  useEffect(() => {
    known.current = loaded.data?.stored.etag ?? known.current
  }, [loaded.data])
  useChanges(entity, { id }, (changed) => {
    if (changed !== null && changed !== id) return
    if (!isEditing) return setTurn((count) => count + 1)
    const compare = ({ etag }: StoredRow) => setChanged(etag === null || etag !== known.current)
    void loadStored(entity, id).then(compare, () => setChanged(true))
  })
  useEffect(() => setSaved(null), [loaded.data])
  const data = saved ?? loaded.data?.stored ?? null
  const allowed = loaded.data?.allowed ?? entity
  useTitle(data === null ? null : titleOf(entity, data.row))
  useNeighbours(entity, id)
  if (loaded.error !== null)
    return <Missing entity={entity} id={id} error={loaded.error} reload={loaded.reload} />
  if (data === null) return <Loading />
  const show = () => {
    setEditing(false)
    reload()
  }
  const mayEdit = allowed.operations.change !== undefined && !isEditing
  return (
    <div class="stack record">
      {mayEdit && <EditKey onEdit={() => setEditing(true)} />}
      <RecordHead entity={entity} row={data.row}>
        {isEditing ? (
          <CancelButton onCancel={show} />
        ) : (
          <RowActions entity={allowed} stored={data} onDone={reload} onEdit={() => setEditing(true)} />
        )}
      </RecordHead>
      {hasChanged && <p class="notice warn">{text.state.changed}</p>}
      {isEditing ? (
        <ChangeForm
          entity={entity}
          stored={data}
          onSaved={(stored, stays) => {
            toast(text.state.saved)
            known.current = stored.etag
            setChanged(false)
            setSaved(stored)
            if (stays) return
            setEditing(false)
            setTurn((count) => count + 1)
          }}
          onCancel={show}
        />
      ) : (
        <RecordTabs entity={allowed} stored={data} onChanged={setSaved} onRestored={reload} />
      )}
    </div>
  )
}

/** The key E edits the field that has the focus, or else the whole row. */
function EditKey({ onEdit }: { onEdit: () => void }) {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || singleKeyOf(event) !== 'e') return
      event.preventDefault()
      const pair = event.target instanceof Element ? event.target.closest('.pair') : null
      const pencil = pair?.querySelector<HTMLElement>('[data-edit]') ?? null
      if (pencil === null) onEdit()
      else pencil.click()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return null
}

/** Cancels, also by Escape. If something was typed, it asks before, as links do. */
function CancelButton({ onCancel }: { onCancel: () => void }) {
  const latest = useRef(onCancel)
  latest.current = onCancel
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isElsewhere = event.defaultPrevented || document.querySelector('dialog[open]') !== null
      if (event.key === 'Escape' && !isElsewhere) whenLeft(() => latest.current())
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <span class="soft">{text.record.editing}</span>
      <button type="button" onClick={() => whenLeft(onCancel)}>
        {text.action.cancel}
        <span class="key" aria-hidden="true">
          {text.navigation.keyEscape}
        </span>
      </button>
    </>
  )
}

interface TabsProps {
  entity: EntityDescription
  stored: StoredRow
  onChanged: (stored: StoredRow) => void
  onRestored: () => void
}

/** The maximum number of relations that are shown and counted, to limit the requests of one page. */
const maxCounted = 6

function RecordTabs({ entity, stored, onChanged, onRestored }: TabsProps) {
  const app = useApp()
  const { entities, can } = app
  const { path, query } = usePlace()
  const { id } = stored.row
  const relations = relationsOf(entities, entity).slice(0, maxCounted)
  const related = useLoaded(`related/${entity.name}/${id}/${stored.etag}`, (signal) =>
    Promise.all(relations.map((relation) => loadRelated(relation, id, signal).catch(apiError))),
  )
  const tabs: Tab[] = [
    {
      name: 'details',
      label: text.record.details,
      show: () => (
        <RowValues entity={entity} stored={stored} onChanged={onChanged}>
          <Panels place="row.side" entity={entity} row={stored.row} onSaved={onRestored} />
        </RowValues>
      ),
    },
    ...relations.map((relation, index) => ({
      name: `${relation.entity.name}.${relation.field.name}`,
      label: relation.label,
      count: countText(partOf(related, index).data?.total ?? null),
      show: () => <RelatedRows relation={relation} id={id} loaded={partOf(related, index)} />,
    })),
    ...framesAt(app, 'row.tab', entity.name).map((frame) => ({
      name: `panel.${frame.name}`,
      label: frame.label,
      show: () => <ApplicationFrame key={frame.name} frame={frame} row={stored.row} onSaved={onRestored} />,
    })),
    ...(entity.hasHistory === true
      ? [
          {
            name: 'history',
            label: text.record.history.title,
            show: () => <RowHistory entity={entity} stored={stored} onRestored={onRestored} />,
          },
        ]
      : []),
    ...(can('audit:read')
      ? [{ name: 'audit', label: text.navigation.audit, show: () => <RowAudit key={id} id={id} /> }]
      : []),
  ]
  return (
    <Tabs
      label={capital(entity.label)}
      tabs={tabs}
      current={query.get('tab')}
      onChange={(tab) => goTo(hrefOf(path, tab === 'details' ? {} : { tab }), { replaces: true })}
    />
  )
}

/** @returns the error in the place of the rows, so that one refused list does not hide the others */
function apiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

function countText(total: number | null): string | null {
  return total === null ? null : numbers.format(total)
}

function partOf(loaded: Loaded<readonly (Page | ApiError)[]>, index: number): Loaded<Page> {
  const part = loaded.data?.[index] ?? null
  return part instanceof ApiError ? { ...loaded, data: null, error: part } : { ...loaded, data: part }
}

interface MissingProps {
  entity: EntityDescription
  id: string
  error: unknown
  reload: () => void
}

/** The page for a row that could not be loaded. A deleted row can be restored as long as the trash has it. */
function Missing({ entity, id, error, reload }: MissingProps) {
  const isGone = error instanceof ApiError && error.status === 404
  const isKept = isRestorable(entity)
  return (
    <div class={isGone ? 'empty stack' : 'stack'}>
      {isGone && <EntityTile entity={entity} size="large" />}
      <div role={isGone ? 'alert' : undefined}>
        <h1>{isGone ? messageOf(error) : capital(entity.label)}</h1>
        {isGone && error.requestId !== null && (
          <code class="soft">{text.state.request(error.requestId)}</code>
        )}
      </div>
      {!isGone && <ErrorNotice error={error} retry={reload} />}
      <div class="row">
        <a class="button" href={hrefOf(`/entities/${entity.name}`)}>
          {text.record.backTo(entity.labels)}
        </a>
        {isGone && isKept && (
          <ActionButton
            act={async () => {
              await restoreRow(entity, id)
              reload()
            }}
          >
            {text.record.restore}
          </ActionButton>
        )}
      </div>
    </div>
  )
}
