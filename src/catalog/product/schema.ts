import { type Static, Type } from 'typebox'
import { Nullable, Price, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'

const name = Text(1, 200, { description: 'Shown to people, and searched', examples: ['Walnut desk'] })
const description = Nullable(
  Text(0, 2000, { description: 'Shown to people', examples: ['A desk of solid walnut.'] }),
)
const categoryId = Nullable({ ...Uuid, description: 'The category that it is in', examples: [null] })
const isActive = { description: '`false` takes it out of the list of active products' }
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
  { $id: 'Product', description: 'What a tenant sells.' },
)

/** What a search finds. */
export const ProductSummary = Type.Object(
  { id, name, price: Price },
  { $id: 'ProductSummary', description: 'A product, as a search finds it.' },
)

export const ProductInput = Type.Object(
  {
    name,
    description: Type.Optional(description),
    price: Price,
    isActive: Type.Optional(Type.Boolean({ ...isActive, default: true })),
    categoryId: Type.Optional(categoryId),
  },
  { $id: 'ProductInput', description: 'A product to be created.' },
)

export const ProductUpdate = Type.Object(
  { ...ProductInput.properties, isActive: Type.Optional(Type.Boolean(isActive)) },
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
