import { type Static, Type } from 'typebox'
import { Nullable, Price, Text, Timestamp, Uuid } from '../schema.ts'

const name = Text(1, 200, { examples: ['Walnut desk'] })
const description = Nullable(Text(0, 2000, { examples: ['A desk of solid walnut.'] }))
const categoryId = Nullable({ ...Uuid, examples: [null] })

export const Product = Type.Object(
  {
    id: Uuid,
    name,
    description,
    price: Price,
    isActive: Type.Boolean(),
    categoryId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Product' },
)

/** What a search finds. */
export const ProductSummary = Type.Object({ id: Uuid, name, price: Price }, { $id: 'ProductSummary' })

export const ProductInput = Type.Object(
  {
    name,
    description: Type.Optional(description),
    price: Price,
    isActive: Type.Optional(Type.Boolean({ default: true })),
    categoryId: Type.Optional(categoryId),
  },
  { $id: 'ProductInput' },
)

export const ProductUpdate = Type.Object(
  { ...ProductInput.properties, isActive: Type.Optional(Type.Boolean()) },
  { $id: 'ProductUpdate', description: 'What is left out stays as it is.' },
)

export type Product = Static<typeof Product>
export type ProductSummary = Static<typeof ProductSummary>
export type ProductInput = Static<typeof ProductInput>
export type ProductUpdate = Static<typeof ProductUpdate>

/** With what is stored and not shown. */
export interface StoredProduct extends Product {
  version: number
}
