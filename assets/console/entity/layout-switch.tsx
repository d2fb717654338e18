import { Calendar, Columns3, List } from 'lucide'
import { Icon } from '../component/icon.tsx'
import type { EntityDescription } from '../describe.ts'
import { text } from '../text/text.ts'
import type { ListAddress } from './list-address.ts'
import { type ListLayout, layoutsOf } from './list-layout.ts'

const icons = { table: List, board: Columns3, calendar: Calendar }

interface SwitchProps {
  entity: EntityDescription
  layout: ListLayout
  address: ListAddress
}

/** The buttons that choose the layout of a list. Nothing is shown if its fields allow only the table. */
export function LayoutSwitch({ entity, layout, address }: SwitchProps) {
  const layouts = layoutsOf(entity)
  if (layouts.length === 1) return null
  return (
    <fieldset class="segments plain" aria-label={text.table.layout}>
      {layouts.map((name) => (
        <button
          type="button"
          key={name}
          aria-pressed={name === layout.name}
          onClick={() => address.show({ layout: name === 'table' ? null : name, group: null, month: null })}
        >
          <Icon node={icons[name]} />
          <span>{text.table.layouts[name]}</span>
        </button>
      ))}
    </fieldset>
  )
}
