import { type Static, Type } from 'typebox'

const id = Type.String({ format: 'uuid' })
const name = Type.String({ minLength: 1, maxLength: 100, examples: ['Nordic Timber'] })
const kind = Type.Enum(['MAKER', 'DEALER'], { description: 'Whether it makes what it sells' })

/** What the API returns. A schema with an `$id` has that name in the OpenAPI document. */
export const Supplier = Type.Object(
  { id, name, kind, createdAt: Type.String({ format: 'date-time' }) },
  { $id: 'Supplier' },
)

/** What the API accepts. */
export const SupplierInput = Type.Object({ name, kind: Type.Optional(kind) }, { $id: 'SupplierInput' })

export type Supplier = Static<typeof Supplier>
export type SupplierInput = Static<typeof SupplierInput>
