/** What features offer to be read, built-in ones and one of the tests, and the schema that it makes. */

import { createApi } from '../../../src/api/graphql/schema/schema.ts'
import { product } from '../../../src/catalog/product/product.ts'
import type { ReadModel } from '../../../src/database/read/read-model.ts'
import { orderGraphQL } from '../../../src/orders/graphql.ts'
import { offerFeature } from '../feature/offer.ts'

const api = createApi([product.graphql, orderGraphQL, offerFeature.graphql ?? {}])

export const schema = api.schema

export const products = product.model

export const orders = entityOf('orders')

function entityOf(name: string): ReadModel {
  const field = api.queries.get(name)
  if (field === undefined || field.kind === 'object') throw new Error(`${name} reads no entity.`)
  return field.entity
}
