/** The menu that chooses the columns of a list. Their order is changed at their headings. */
import { Columns3 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Icon } from '../component/icon.tsx'
import { Popover } from '../component/popover.tsx'
import { Segments } from '../component/segments.tsx'
import { type Density, densities } from '../densities.ts'
import { allFields, type EntityDescription, type FieldDescription, labelOf } from '../describe.ts'
import { text } from '../text/text.ts'

interface ColumnProps {
  entity: EntityDescription
  shown: readonly FieldDescription[]
  onChange: (names: readonly string[]) => void
  density: Density
  onDensity: (density: Density) => void
}

export function ColumnChooser({ entity, shown, onChange, density, onDensity }: ColumnProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const names = shown.map(({ name }) => name)
  const toggle = (name: string) => {
    const next = names.includes(name) ? names.filter((each) => each !== name) : [...names, name]
    if (next.length > 0) onChange(next)
  }
  return (
    <>
      <button type="button" class="columns-button" ref={button} onClick={() => setOpen(!isOpen)}>
        <Icon node={Columns3} />
        {text.list.columns}
      </button>
      {isOpen && (
        <Popover
          anchor={button.current}
          label={text.list.columns}
          onClose={() => setOpen(false)}
          class="column-chooser"
          isAtEnd
        >
          <div class="popover-scroll">
            {allFields(entity).map((field) => (
              <label class="choice" key={field.name}>
                <input
                  type="checkbox"
                  checked={names.includes(field.name)}
                  onChange={() => toggle(field.name)}
                />
                {labelOf(field)}
              </label>
            ))}
          </div>
          <p class="note">{text.table.columnsHint}</p>
          <Segments
            label={text.navigation.density}
            value={density}
            options={densities.map((each) => [each, text.navigation.densities[each]])}
            onChange={onDensity}
          />
          <button type="button" onClick={() => setOpen(false)}>
            {text.action.close}
          </button>
        </Popover>
      )}
    </>
  )
}
