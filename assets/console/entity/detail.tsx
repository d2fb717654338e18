/** One row: its values, its actions, and the form that changes it. */
import { useState } from 'preact/hooks'
import { CopyRequest } from '../component/copy-request.tsx'
import { Dialog } from '../component/dialog.tsx'
import { Menu } from '../component/menu.tsx'
import { Done, ErrorNotice } from '../component/notice.tsx'
import {
  type Action,
  allFields,
  type EntityDescription,
  type FieldDescription,
  isPossible,
  labelOf,
  pathOf,
  titleOf,
  words,
} from '../describe.ts'
import { useLoaded } from '../load.ts'
import { goTo, hrefOf } from '../router.ts'
import { fieldsOfSchema } from '../schema-fields.ts'
import { text } from '../text/text.ts'
import { FieldInputs, type Values } from './fields.tsx'
import { RowForm } from './form.tsx'
import { useChanges } from './live.ts'
import { ReferringRows } from './referring.tsx'
import { deleteRow, loadStored, runAction, type StoredRow } from './rows.ts'
import { Value } from './value.tsx'

export function NewRow({ entity }: { entity: EntityDescription }) {
  const list = hrefOf(`/entities/${entity.name}`)
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
  const [isSaved, setSaved] = useState(false)
  useChanges(entity, (changed) => {
    if (changed !== id) return
    if (isEditing) setChanged(true)
    else setTurn((count) => count + 1)
  })
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <p class="soft">{text.state.loading}</p>
  const show = () => {
    setEditing(false)
    setChanged(false)
    setTurn((count) => count + 1)
  }
  return (
    <div class="stack">
      <p>
        <a href={hrefOf(`/entities/${entity.name}`)}>{words(entity.labels)}</a>
      </p>
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
      {isSaved && !isEditing && <Done>{text.state.saved}</Done>}
      {isEditing ? (
        <RowForm
          entity={entity}
          stored={data}
          onSaved={() => {
            setSaved(true)
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

function RowValues({ entity, values }: { entity: EntityDescription; values: Values }) {
  const fields = allFields(entity)
  const lists = fields.filter(({ kind }) => kind === 'many')
  return (
    <>
      <dl class="values card">
        <dt>Id</dt>
        <dd>
          <code>{String(values['id'])}</code>
        </dd>
        {fields
          .filter(({ kind }) => kind !== 'many')
          .map((field) => [
            <dt key={`${field.name}-name`}>{labelOf(field)}</dt>,
            <dd key={field.name}>
              <Value field={field} value={values[field.name]} />
            </dd>,
          ])}
      </dl>
      {lists.map((field) => (
        <Items key={field.name} field={field} value={values[field.name]} />
      ))}
    </>
  )
}

function Items({ field, value }: { field: FieldDescription; value: unknown }) {
  const items = Array.isArray(value) ? (value as Values[]) : [] // rows of a `many`
  const fields = field.fields ?? []
  return (
    <section class="stack" aria-label={words(field.name)}>
      <h2>{words(field.name)}</h2>
      <div class="table">
        <table>
          <thead>
            <tr>
              {fields.map((each) => (
                <th scope="col" key={each.name}>
                  {labelOf(each)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item, index) => (
              <tr key={index}>
                {fields.map((each) => (
                  <td key={each.name}>
                    <Value field={each} value={item[each.name]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface ActionsProps {
  entity: EntityDescription
  stored: StoredRow
  onDone: () => void
}

function RowActions({ entity, stored: { row }, onDone }: ActionsProps) {
  const [error, setError] = useState<unknown>(null)
  const [asking, setAsking] = useState<Action | null>(null)
  const title = titleOf(entity, row)
  const attempt = async (act: () => Promise<unknown>, after: () => void) => {
    setError(null)
    try {
      await act()
      after()
    } catch (caught) {
      setError(caught)
    }
  }
  const run = (action: Action) => {
    if (action.input !== null) setAsking(action)
    else if (confirm(text.form.confirmAction(action.summary, title)))
      void attempt(() => runAction(action, row.id, null), onDone)
  }
  const remove = () => {
    if (confirm(text.form.confirmDelete(title)))
      void attempt(
        () => deleteRow(entity, row.id),
        () => goTo(hrefOf(`/entities/${entity.name}`)),
      )
  }
  const { get, delete: removal } = entity.operations
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      {entity.actions.map((action) => (
        <button
          type="button"
          key={action.name}
          disabled={!isPossible(action, row)}
          onClick={() => run(action)}
        >
          {words(action.name)}
        </button>
      ))}
      {get !== undefined && (
        <Menu label={text.action.more}>
          <CopyRequest path={pathOf(get, row.id)} />
        </Menu>
      )}
      {removal !== undefined && (
        <button type="button" class="danger" onClick={remove}>
          {text.action.delete}
        </button>
      )}
      {asking !== null && (
        <ActionForm
          action={asking}
          submit={(values) =>
            attempt(
              () => runAction(asking, row.id, values),
              () => {
                setAsking(null)
                onDone()
              },
            )
          }
          onClose={() => setAsking(null)}
        />
      )}
    </>
  )
}

interface ActionFormProps {
  action: Action
  submit: (values: Values) => Promise<void>
  onClose: () => void
}

function ActionForm({ action, submit, onClose }: ActionFormProps) {
  const [values, setValues] = useState<Values>({})
  const send = (event: Event) => {
    event.preventDefault()
    void submit(values)
  }
  return (
    <Dialog title={action.summary} onClose={onClose}>
      <form class="form" onSubmit={send}>
        <FieldInputs
          fields={fieldsOfSchema(action.input ?? {})}
          values={values}
          faults={new Map()}
          onChange={setValues}
        />
        <div class="row">
          <button type="submit" class="main">
            {words(action.name)}
          </button>
          <button type="button" onClick={onClose}>
            {text.action.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
