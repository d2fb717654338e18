/** What can be done with a row, by weight: the next step is a button in colour, the rest is in a menu. */
import { Ellipsis, Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { confirmed } from '../component/confirm-dialog.tsx'
import { Dialog } from '../component/dialog.tsx'
import { Icon } from '../component/icon.tsx'
import { Menu } from '../component/menu.tsx'
import { SchemaForm } from '../component/schema-form.tsx'
import { toast, toastError } from '../component/toast.tsx'
import {
  type Action,
  actionLabelOf,
  type EntityDescription,
  isPossible,
  labelOf,
  type Row,
  titleOf,
  wordOf,
} from '../describe.ts'
import { fieldsOfSchema } from '../schema-fields.ts'
import { text } from '../text/text.ts'
import { useDeletion } from './deletion.ts'
import { runAction, type StoredRow } from './rows.ts'

interface ActionsProps {
  entity: EntityDescription
  stored: StoredRow
  onDone: () => void
  /** Opens the form; absent where there is none beside. */
  onEdit?: () => void
}

const maxButtons = 2

export function RowActions({ entity, stored: { row }, onDone, onEdit }: ActionsProps) {
  const [asking, setAsking] = useState<Action | null>(null)
  const remove = useDeletion(entity, row)
  const run = (action: Action) =>
    action.input === null ? void perform(entity, action, row, onDone) : setAsking(action)
  const { primary, beside, others } = byWeight(entity.actions, row)
  const mayEdit = onEdit !== undefined && entity.operations.change !== undefined
  const mayDelete = entity.operations.delete !== undefined
  return (
    <>
      {mayEdit && (
        <button type="button" class={primary === null ? 'main' : undefined} onClick={onEdit}>
          <Icon node={Pencil} />
          {text.action.edit}
        </button>
      )}
      {beside.map((action) => (
        <button type="button" key={action.name} onClick={() => run(action)}>
          {actionLabelOf(action)}
        </button>
      ))}
      {(others.length > 0 || mayDelete) && (
        <Menu
          closes
          label={
            <>
              <Icon node={Ellipsis} />
              <span class="hidden">{text.record.more}</span>
            </>
          }
        >
          {others.map((action) => (
            <ActionItem
              key={action.name}
              entity={entity}
              action={action}
              row={row}
              onRun={() => run(action)}
            />
          ))}
          {mayDelete && (
            <button type="button" class="danger" onClick={() => void remove()}>
              <Icon node={Trash2} />
              {text.action.delete}
            </button>
          )}
        </Menu>
      )}
      {primary !== null && (
        <button type="button" class="main" onClick={() => run(primary)}>
          {actionLabelOf(primary)}
        </button>
      )}
      {asking !== null && (
        <Dialog title={asking.summary} onClose={() => setAsking(null)}>
          <SchemaForm
            fields={fieldsOfSchema(asking.input ?? {})}
            button={actionLabelOf(asking)}
            submit={async (values) => {
              await runAction(asking, row.id, values)
              setAsking(null)
              done(entity, asking, row, onDone)
            }}
            onCancel={() => setAsking(null)}
          />
        </Dialog>
      )}
    </>
  )
}

interface Weighed {
  /** The one step that comes next. */
  primary: Action | null
  beside: readonly Action[]
  others: readonly Action[]
}

/** As the definition says; otherwise the first one that only this state allows comes next. */
function byWeight(actions: readonly Action[], row: Row): Weighed {
  const possible = actions.filter((action) => isPossible(action, row))
  const isHinted = actions.some(({ console: hints }) => hints?.primary === true)
  const primary =
    possible.find((action) =>
      isHinted ? action.console?.primary === true : Object.keys(action.from).length > 0,
    ) ?? null
  const calm = possible.filter((action) => action !== primary && action.console?.tone !== 'bad')
  const beside = calm.filter(({ from }) => Object.keys(from).length > 0).slice(0, maxButtons)
  return { primary, beside, others: actions.filter((each) => each !== primary && !beside.includes(each)) }
}

interface ActionItemProps {
  entity: EntityDescription
  action: Action
  row: Row
  onRun: () => void
}

function ActionItem({ entity, action, row, onRun }: ActionItemProps) {
  const isOpen = isPossible(action, row)
  return (
    <button
      type="button"
      class={action.console?.tone === 'bad' ? 'danger' : undefined}
      disabled={!isOpen}
      onClick={onRun}
    >
      <span class="names">
        {actionLabelOf(action)}
        {!isOpen && <span class="note">{reasonOf(entity, action, row)}</span>}
      </span>
    </button>
  )
}

/** Which state it needs, of the members that have another one. */
function reasonOf(entity: EntityDescription, { from }: Action, row: Row): string {
  const needs = Object.entries(from)
    .filter(([member, values]) => !values.includes(row[member]))
    .flatMap(([member, values]) => {
      const field = entity.fields.find(({ name }) => name === member)
      if (field === undefined) return []
      return [text.record.onlyWhile(labelOf(field), values.map((value) => wordOf(field, value)).join(', '))]
    })
  return needs.join(' ')
}

/** What can be taken back is done at once; for another the question is asked before. */
async function perform(
  entity: EntityDescription,
  action: Action,
  row: Row,
  onDone: () => void,
): Promise<void> {
  const { confirm: question, tone, undo } = action.console ?? {}
  const asked = {
    title: question ?? text.form.confirmAction(action.summary, titleOf(entity, row)),
    verb: actionLabelOf(action),
    kind: tone === 'bad' ? 'danger' : 'main',
  } as const
  if ((undo === undefined || question !== undefined) && !(await confirmed(asked))) return
  try {
    await runAction(action, row.id, null)
    done(entity, action, row, onDone)
  } catch (error) {
    toastError(error)
  }
}

function done(entity: EntityDescription, action: Action, row: Row, onDone: () => void): void {
  onDone()
  const inverse = entity.actions.find(({ name, input }) => name === action.console?.undo && input === null)
  const words = text.record.acted(actionLabelOf(action), titleOf(entity, row))
  const undo = async (back: Action) => {
    await runAction(back, row.id, null)
    onDone()
  }
  toast(words, inverse === undefined ? {} : { undo: () => undo(inverse) })
}
