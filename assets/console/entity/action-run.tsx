/**
 * Runs an action of a row. Before it, a dialog asks a question or for the input; after it, a toast reports the
 * result.
 */
import { useState } from 'preact/hooks'
import { confirmed } from '../component/confirm-dialog.tsx'
import { Dialog } from '../component/dialog.tsx'
import { SchemaForm } from '../component/schema-form.tsx'
import { toast, toastError } from '../component/toast.tsx'
import {
  type Action,
  actionLabelOf,
  type EntityDescription,
  inverseOf,
  labelOf,
  type Row,
  titleOf,
  wordOf,
} from '../describe.ts'
import { fieldsOfSchema } from '../schema-fields.ts'
import { text } from '../text/text.ts'
import { runAction } from './rows.ts'

/** @returns a function that runs an action, and the form for the input of the action, if one is open */
export function useActionRun(entity: EntityDescription, onDone: () => void) {
  const [asking, setAsking] = useState<{ action: Action; row: Row } | null>(null)
  const run = (action: Action, row: Row) =>
    action.input === null ? void perform(entity, action, row, onDone) : setAsking({ action, row })
  const form = asking !== null && (
    <Dialog title={asking.action.summary} onClose={() => setAsking(null)}>
      <SchemaForm
        fields={fieldsOfSchema(asking.action.input ?? {})}
        button={actionLabelOf(asking.action)}
        submit={async (values) => {
          await runAction(asking.action, asking.row.id, values)
          setAsking(null)
          done(entity, asking.action, asking.row, onDone)
        }}
        onCancel={() => setAsking(null)}
      />
    </Dialog>
  )
  return { run, form }
}

/** @returns the sentence that says which values the row must have for the action, for members that have others */
export function reasonOf(entity: EntityDescription, { from }: Action, row: Row): string {
  const needs = Object.entries(from)
    .filter(([member, values]) => !values.includes(row[member]))
    .flatMap(([member, values]) => {
      const field = entity.fields.find(({ name }) => name === member)
      if (field === undefined) return []
      return [text.record.onlyWhile(labelOf(field), values.map((value) => wordOf(field, value)).join(', '))]
    })
  return needs.join(' ')
}

/** Runs an action without input. It asks first, unless the action can be undone and has no question of its own. */
async function perform(
  entity: EntityDescription,
  action: Action,
  row: Row,
  onDone: () => void,
): Promise<void> {
  const { confirm: question, tone } = action.console ?? {}
  const asked = {
    title: question ?? text.form.confirmAction(action.summary, titleOf(entity, row)),
    verb: actionLabelOf(action),
    kind: tone === 'bad' ? 'danger' : 'main',
  } as const
  if ((inverseOf(entity, action) === undefined || question !== undefined) && !(await confirmed(asked))) return
  try {
    await runAction(action, row.id, null)
    done(entity, action, row, onDone)
  } catch (error) {
    toastError(error)
  }
}

function done(entity: EntityDescription, action: Action, row: Row, onDone: () => void): void {
  onDone()
  const inverse = inverseOf(entity, action)
  const words = text.record.acted(actionLabelOf(action), titleOf(entity, row))
  const undo = async (back: Action) => {
    await runAction(back, row.id, null)
    onDone()
  }
  toast(words, inverse === undefined ? {} : { undo: () => undo(inverse) })
}
