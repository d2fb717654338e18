/** The actions of a row by importance: the next step is a coloured button, the rest is in a menu. */
import { Ellipsis, Pencil, Trash2 } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../component/icon.tsx'
import { Menu } from '../component/menu.tsx'
import { type Action, actionLabelOf, type EntityDescription, isPossible, type Row } from '../describe.ts'
import { iconOf } from '../shell/entity-icon.ts'
import { singleKeyOf } from '../single-keys.ts'
import { text } from '../text/text.ts'
import { reasonOf, useActionRun } from './action-run.tsx'
import { useDeletion } from './deletion.ts'
import type { StoredRow } from './rows.ts'

interface ActionsProps {
  entity: EntityDescription
  stored: StoredRow
  onDone: () => void
  /** Opens the form; absent if the page has none. */
  onEdit?: () => void
}

const maxButtons = 2

export function RowActions({ entity, stored: { row }, onDone, onEdit }: ActionsProps) {
  const { run, form } = useActionRun(entity, onDone)
  const remove = useDeletion(entity, row)
  const { primary, beside, others } = byWeight(entity.actions, row)
  useActionKeys(entity, row, run)
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
        <button type="button" key={action.name} onClick={() => run(action, row)}>
          <ActionLabel action={action} />
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
              onRun={() => run(action, row)}
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
        <button type="button" class="main" onClick={() => run(primary, row)}>
          <ActionLabel action={primary} />
        </button>
      )}
      {form}
    </>
  )
}

function ActionLabel({ action }: { action: Action }) {
  return (
    <>
      {action.console?.iconPath !== undefined && <Icon node={iconOf(action.console.iconPath)} />}
      {actionLabelOf(action)}
      {action.console?.key !== undefined && (
        <span class="key" aria-hidden="true">
          {action.console.key.toUpperCase()}
        </span>
      )}
    </>
  )
}

function useActionKeys(
  { actions }: EntityDescription,
  row: Row,
  run: (action: Action, row: Row) => void,
): void {
  const press = (event: KeyboardEvent) => {
    const key = event.defaultPrevented ? null : singleKeyOf(event)
    const action = actions.find((each) => key !== null && each.console?.key === key)
    if (action === undefined || !isPossible(action, row)) return
    event.preventDefault()
    run(action, row)
  }
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

interface Weighed {
  /** The most likely next step. */
  primary: Action | null
  beside: readonly Action[]
  others: readonly Action[]
}

/**
 * Sorts actions as the definition says. Without such hints, the first action that only this state allows is the next
 * step.
 */
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
        <ActionLabel action={action} />
        {!isOpen && <span class="note">{reasonOf(entity, action, row)}</span>}
      </span>
    </button>
  )
}
