import { useLayoutEffect, useState } from 'preact/hooks'
import type { EntityDescription } from '../describe.ts'
import type { CellEditing } from './cell-editing.ts'
import { CellEditor } from './cell-editor.tsx'

/** The control that changes a member of a card, in a window beside the card. */
export function AnchoredEditor({ entity, editing }: { entity: EntityDescription; editing: CellEditing }) {
  const { cell } = editing
  const [anchor, setAnchor] = useState<Element | null>(null)
  useLayoutEffect(() => {
    setAnchor(cell === null ? null : document.querySelector(`[data-row="${cell.row.id}"]`))
  }, [cell])
  if (cell === null || anchor === null) return null
  return (
    <CellEditor
      // With a fault, the editor is a new one: it begins with the refused value.
      key={`${cell.row.id} ${cell.fault}`}
      entity={entity}
      cell={cell}
      anchor={anchor}
      editing={editing}
      isBeside
      onLeave={() => undefined}
    />
  )
}
