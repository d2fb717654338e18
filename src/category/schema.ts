import { type Static, Type } from 'typebox'
import { Text, Timestamp, Uuid } from '../schema.ts'

const name = Text(1, 200, { examples: ['Furniture'] })

export const Category = Type.Object(
  { id: Uuid, name, createdAt: Timestamp, updatedAt: Timestamp },
  { $id: 'Category' },
)

export const CategoryInput = Type.Object({ name }, { $id: 'CategoryInput' })

export type Category = Static<typeof Category>
export type CategoryInput = Static<typeof CategoryInput>

/** With what is stored and not shown. */
export interface StoredCategory extends Category {
  version: number
}
