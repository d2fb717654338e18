/** One row: its values, its actions, and the form that changes it. */
import { useState } from 'preact/hooks'
import { Loading } from '../component/loading.tsx'
import { Done, ErrorNotice } from '../component/notice.tsx'
import { type EntityDescription, titleOf, words } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { goTo, hrefOf } from '../router.ts'
import { useTitle } from '../shell/title.ts'
import { text } from '../text/text.ts'
import { RowForm } from './form.tsx'
import { useChanges } from './live.ts'
import { ReferringRows } from './referring.tsx'
import { RowActions } from './row-actions.tsx'
import { RowValues } from './row-values.tsx'
import { loadStored } from './rows.ts'

export function NewRow({ entity }: { entity: EntityDescription }) {
  const list = hrefOf(`/entities/${entity.name}`)
  useTitle(text.action.newRow(entity.label))
  return (
    <div class="stack">
      <h1>{text.action.newRow(entity.label)}</h1>
      <RowForm
        entity={entity}
        stored={null}
        onSaved={({ row }) => goTo(`${list}/${row.id}`)}
        onCancel={() => goTo(list)}
      />
    </div>
  )
}

export function RowDetail({ entity, id }: { entity: EntityDescription; id: string }) {
  const [turn, setTurn] = useState(0)
  const { data, error, reload } = useLoaded(`${entity.name}/${id}/${turn}`, () => loadStored(entity, id))
  const [isEditing, setEditing] = useState(false)
  const [hasChanged, setChanged] = useState(false)
  /** The tag of what was saved here: of other values it must not be said that they are. */
  const [saved, setSaved] = useState<string | null>(null)
  useChanges(entity, { id }, (changed) => {
    if (changed !== null && changed !== id) return
    if (isEditing) setChanged(true)
    else setTurn((count) => count + 1)
  })
  useTitle(data === null ? null : titleOf(entity, data.row))
  if (error !== null)
    return (
      <div class="stack">
        <h1>{words(entity.label)}</h1>
        <ErrorNotice error={error} retry={reload} />
      </div>
    )
  if (data === null) return <Loading />
  const show = () => {
    setEditing(false)
    setChanged(false)
    setTurn((count) => count + 1)
  }
  return (
    <div class="stack">
      <div class="row">
        <h1>{titleOf(entity, data.row)}</h1>
        {!isEditing && (
          <span class="end row">
            <RowActions entity={entity} stored={data} onDone={show} />
            {entity.operations.change !== undefined && (
              <button type="button" class="main" onClick={() => setEditing(true)}>
                {text.action.edit}
              </button>
            )}
          </span>
        )}
      </div>
      {hasChanged && <p class="notice warn">{text.state.changed}</p>}
      {saved !== null && saved === data.etag && !isEditing && <Done>{text.state.saved}</Done>}
      {isEditing ? (
        <RowForm
          entity={entity}
          stored={data}
          onSaved={({ etag }) => {
            setSaved(etag)
            show()
          }}
          onCancel={show}
        />
      ) : (
        <>
          <RowValues entity={entity} values={data.row} />
          <ReferringRows entity={entity} id={id} />
        </>
      )}
    </div>
  )
}
