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
  { $id: 'Category', description: 'A category of products.' },
)

export const CategoryInput = Type.Object(
  { name },
  { $id: 'CategoryInput', description: 'A new category, or the new state of one.' },
)

export type Category = Static<typeof Category>
export type CategoryInput = Static<typeof CategoryInput>

/** With members that are stored but not shown. */
export interface StoredCategory extends Category {
  version: number
}
