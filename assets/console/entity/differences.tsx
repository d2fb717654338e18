import type { Difference } from '../component/conflict.tsx'
import { type FieldDescription, labelOf } from '../describe.ts'
import type { Values } from './fields.tsx'
import { Value } from './value.tsx'

/** The fields in which what was typed differs from what is stored. */
export function differencesOf(
  fields: readonly FieldDescription[],
  yours: Values,
  theirs: Values,
): Difference[] {
  return fields
    .filter(
      ({ name, isReadOnly }) => !isReadOnly && JSON.stringify(yours[name]) !== JSON.stringify(theirs[name]),
    )
    .map((field) => ({
      label: labelOf(field),
      yours: <Value field={field} value={yours[field.name]} />,
      theirs: <Value field={field} value={theirs[field.name]} />,
    }))
}
