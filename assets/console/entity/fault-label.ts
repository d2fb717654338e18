import { type FieldDescription, labelOf } from '../describe.ts'
import { fieldsOfSchema } from '../schema-fields.ts'

/**
 * @returns the label of the member at a pointer, such as `Contact: Name` or `Lines 2: Price`; `null` if no field has
 *   it
 */
export function labelAt(fields: readonly FieldDescription[], pointer: string): string | null {
  const [, name, ...within] = pointer.split('/')
  const field = fields.find((each) => each.name === name && !each.isReadOnly)
  if (field === undefined) return null
  const isMany = field.kind === 'many'
  const line = isMany && within.length > 0 ? ` ${Number(within.shift()) + 1}` : ''
  const inner = labelAt(isMany ? (field.fields ?? []) : fieldsOfSchema(field.schema), `/${within.join('/')}`)
  return labelOf(field) + line + (inner === null ? '' : `: ${inner}`)
}
