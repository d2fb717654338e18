/** What can be done with a row: its actions, as far as its state allows them, and its deletion. */
import { useState } from 'preact/hooks'
import { confirmed } from '../component/confirm-dialog.tsx'
import { Dialog } from '../component/dialog.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import { type Action, type EntityDescription, isPossible, titleOf, type Values, words } from '../describe.ts'
import { goTo, hrefOf } from '../router.ts'
import { fieldsOfSchema } from '../schema-fields.ts'
import { text } from '../text/text.ts'
import { FieldInputs } from './fields.tsx'
import { deleteRow, runAction, type StoredRow } from './rows.ts'

interface ActionsProps {
  entity: EntityDescription
  stored: StoredRow
  onDone: () => void
}

export function RowActions({ entity, stored: { row }, onDone }: ActionsProps) {
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
    else void attempt(() => runAction(action, row.id, null), onDone)
  }
  const remove = async () => {
    const question = {
      title: text.form.confirmDelete(title),
      verb: text.action.delete,
      kind: 'danger',
    } as const
    if (await confirmed(question))
      await attempt(
        () => deleteRow(entity, row.id),
        () => goTo(hrefOf(`/entities/${entity.name}`)),
      )
  }
  const { delete: removal } = entity.operations
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
      {removal !== undefined && (
        <button type="button" class="danger" onClick={() => void remove()}>
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
