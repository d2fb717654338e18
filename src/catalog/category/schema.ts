import { type Static, Type } from 'typebox'
import { Text, Timestamp, Uuid } from '../../core/schema/schema.ts'

const name = Text(1, 200, {
  description: 'Unique within the tenant',
  examples: ['Furniture'],
})

export const Category = Type.Object(
  {
    id: { ...Uuid, description: 'Assigned by the service' },
    name,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Category', description: 'What products are sorted into.' },
)

export const CategoryInput = Type.Object(
  { name },
  { $id: 'CategoryInput', description: 'A category, new or changed.' },
)

export type Category = Static<typeof Category>
export type CategoryInput = Static<typeof CategoryInput>

/** With what is stored and not shown. */
export interface StoredCategory extends Category {
  version: number
}
