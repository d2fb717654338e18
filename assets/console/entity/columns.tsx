import { useState } from 'preact/hooks'
import { Dialog } from '../component/dialog.tsx'
import { allFields, type EntityDescription, type FieldDescription, labelOf } from '../describe.ts'
import { text } from '../text/text.ts'

interface ColumnProps {
  entity: EntityDescription
  shown: readonly FieldDescription[]
  onChange: (names: readonly string[]) => void
}

export function ColumnChooser({ entity, shown, onChange }: ColumnProps) {
  const [isOpen, setOpen] = useState(false)
  const names = new Set(shown.map(({ name }) => name))
  const toggle = (name: string) => {
    const next = new Set(names)
    if (!next.delete(name)) next.add(name)
    if (next.size > 0) onChange([...next])
  }
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {text.list.columns}
      </button>
      {isOpen && (
        <Dialog title={text.list.columns} onClose={() => setOpen(false)}>
          {allFields(entity).map((field) => (
            <label class="row" key={field.name}>
              <input type="checkbox" checked={names.has(field.name)} onChange={() => toggle(field.name)} />
              {labelOf(field)}
            </label>
          ))}
          <div class="row">
            <button type="button" class="main" onClick={() => setOpen(false)}>
              {text.action.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
