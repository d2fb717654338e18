import { type Static, Type } from 'typebox'
import { Nullable, Price, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'

const name = Text(1, 200, {
  description: 'Display name. Searches match parts of it',
  examples: ['Walnut desk'],
})
const description = Nullable(
  Text(0, 2000, { description: 'Display text', examples: ['A desk of solid walnut.'] }),
)
const categoryId = Nullable({ ...Uuid, description: 'The category of the product', examples: [null] })
const isActive = { description: '`false` removes the product from the list of active products' }
const id = { ...Uuid, description: 'Assigned by the service' }

export const Product = Type.Object(
  {
    id,
    name,
    description,
    price: Price,
    isActive: Type.Boolean(isActive),
    categoryId,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Product', description: 'A product of a tenant.' },
)

/** A product as a search returns it. */
export const ProductSummary = Type.Object(
  { id, name, price: Price },
  { $id: 'ProductSummary', description: 'A product in the result of a search.' },
)

export const ProductInput = Type.Object(
  {
    name,
    description: Type.Optional(description),
    price: Price,
    isActive: Type.Optional(Type.Boolean({ ...isActive, default: true })),
    categoryId: Type.Optional(categoryId),
  },
  { $id: 'ProductInput', description: 'A new product.' },
)

export const ProductUpdate = Type.Object(
  { ...ProductInput.properties, isActive: Type.Optional(Type.Boolean(isActive)) },
  { $id: 'ProductUpdate', description: 'Omitted members stay unchanged.' },
)

export type Product = Static<typeof Product>
export type ProductSummary = Static<typeof ProductSummary>
export type ProductInput = Static<typeof ProductInput>
export type ProductUpdate = Static<typeof ProductUpdate>

/** With members that are stored but not shown. */
export interface StoredProduct extends Product {
  version: number
}
