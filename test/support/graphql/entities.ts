/** The entities of built-in features and of one feature of the tests, and their schema. */

import { createApi } from '../../../src/api/graphql/schema/schema.ts'
import { product } from '../../../src/catalog/product/product.ts'
import type { ReadField, ReadModel } from '../../../src/database/read/read-model.ts'
import { orderGraphQL } from '../../../src/orders/graphql.ts'
import { offerFeature } from './offer.ts'

const api = createApi([product.graphql, orderGraphQL, offerFeature.graphql ?? {}])

export const schema = api.schema

export const products = entityOf('products')

export const orders = entityOf('orders')

export function fieldOf(entity: ReadModel, name: string): ReadField {
  const field = entity.fields.get(name)
  if (field === undefined) throw new Error(`${entity.name} has no ${name}.`)
  return field
}

function entityOf(name: string): ReadModel {
  const field = api.queries.get(name)
  if (field === undefined || field.kind === 'object') throw new Error(`${name} reads no entity.`)
  return field.entity
}
