import { Type } from 'typebox'
import { product } from './product.ts'

const { row, input, change } = product.schemas

/** A product as a search returns it. */
export const ProductSummary = Type.Object(Type.Pick(row, ['id', 'name', 'price']).properties, {
  $id: 'ProductSummary',
  description: 'A product in the result of a search.',
})

/** The body of `PUT`: a change whose name and price are required. */
export const ProductUpdate = Type.Object(
  { ...change.properties, ...Type.Pick(input, ['name', 'price']).properties },
  { $id: 'ProductUpdate', description: 'Omitted members stay unchanged.' },
)
