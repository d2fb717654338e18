/** Moves a card of a board to another column: by changing its field, or by the action that leads to that value. */
import { toast } from '../component/toast.tsx'
import {
  type Action,
  actionLabelOf,
  type EntityDescription,
  type FieldDescription,
  isPossible,
  labelOf,
  type Row,
  titleOf,
  wordOf,
} from '../describe.ts'
import { text } from '../text/text.ts'
import { reasonOf, useActionRun } from './action-run.tsx'
import type { CellEditing } from './cell-editing.ts'
import { isSetByAction } from './list-layout.ts'

type Word = string | null

export interface Move {
  /** The text that says where the card goes, or why it cannot go there. */
  label: string
  isRefused: boolean
  make: () => void
}

/** @param onDone after an action */
export function useMoves(
  entity: EntityDescription,
  field: FieldDescription,
  { editing, onDone }: { editing: CellEditing; onDone: () => void },
) {
  const { run, form } = useActionRun(entity, onDone)
  const canEdit = editing.canEdit(field)
  const moveOf = (row: Row, word: Word): Move => {
    const title = titleOf(entity, row)
    if (canEdit) {
      const label = text.table.moving(title, wordLabel(field, word))
      return { label, isRefused: false, make: () => editing.change(row, field, word) }
    }
    const { action, reason } = leadingTo(entity, field, { row, word })
    if (action === null) return { label: reason, isRefused: true, make: () => toast(reason) }
    const label = text.record.acted(actionLabelOf(action), title)
    return { label, isRefused: false, make: () => run(action, row) }
  }
  const save = (value: unknown) => {
    const { cell } = editing
    if (cell === null || canEdit) return editing.save(value)
    editing.cancel()
    const word = typeof value === 'string' ? value : null
    if (word !== (cell.row[field.name] ?? null)) moveOf(cell.row, word).make()
  }
  return { canMove: canEdit || isSetByAction(entity, field), moveOf, form, editing: { ...editing, save } }
}

/** @returns the action that the state of the row allows, or the reason why there is none */
export function leadingTo(
  entity: EntityDescription,
  field: FieldDescription,
  { row, word }: { row: Row; word: Word },
): { action: Action; reason: '' } | { action: null; reason: string } {
  const leading = entity.actions.filter(({ to }) => to[field.name] === word)
  const action = leading.find((each) => isPossible(each, row))
  if (action !== undefined) return { action, reason: '' }
  const [other] = leading
  if (other === undefined) return { action: null, reason: text.table.noAction(wordLabel(field, word)) }
  return { action: null, reason: text.record.acted(actionLabelOf(other), reasonOf(entity, other, row)) }
}

/** @returns the heading of the column for a word */
export function wordLabel(field: FieldDescription, word: Word): string {
  return word === null ? text.table.without(labelOf(field)) : wordOf(field, word)
}
