import type { Difference } from '../component/conflict.tsx'
import type { Conflict } from '../component/versioned-form.ts'
import { type FieldDescription, labelOf, type Values } from '../describe.ts'
import { Value } from './value.tsx'

/** @returns the fields that both the user and somebody else have changed, with both values */
export function differencesOf(
  fields: readonly FieldDescription[],
  { overlap, yours, theirs }: Conflict<Values>,
): Difference[] {
  return fields
    .filter(({ name }) => overlap.includes(name))
    .map((field) => ({
      name: field.name,
      label: labelOf(field),
      yours: <Value field={field} value={yours[field.name]} />,
      theirs: <Value field={field} value={theirs[field.name]} />,
    }))
}
