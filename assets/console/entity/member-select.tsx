/** Chooses a field of an entity by its label. */
import type { ControlProps } from '../component/field.tsx'
import { type FieldDescription, labelOf } from '../describe.ts'

interface MemberSelectProps {
  control: ControlProps
  fields: readonly FieldDescription[]
  /** The name of the chosen field. */
  name: string
  onChange: (name: string) => void
}

export function MemberSelect({ control, fields, name, onChange }: MemberSelectProps) {
  return (
    <select {...control} value={name} onChange={(event) => onChange(event.currentTarget.value)}>
      {fields.map((each) => (
        <option key={each.name} value={each.name}>
          {labelOf(each)}
        </option>
      ))}
    </select>
  )
}
