import { Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import { listQueryOf, listSelected } from '../../entity/list.ts'
import { activeProducts, productsNamed } from './list.ts'
import { product } from './product.ts'
import { ProductSummary, ProductUpdate } from './schema.ts'

const tag = 'Products'
/** Ids are in the order of creation, so that lists in that order need nothing but an id as their cursor. */
const model = { ...product.model, isKeyedByTime: true }
const list = listQueryOf({ model, search: [] })
const summaryMembers = new Set(Object.keys(ProductSummary.properties))
const listing = {
  query: list.schema,
  refusesUnknownParameters: true,
  headers: ['etag', 'link'],
  errors: ['tooManyRequests'],
} as const

/** The routes of products beside those that every entity has. */
export const productRoutes: Route[] = [
  route({
    ...listing,
    method: 'GET',
    path: '/api/products/active',
    summary: 'List active products',
    description: 'Like `GET /api/products`, without the products whose `isActive` is `false`.',
    tag,
    access: 'product:read',
    reply: Type.Array(product.schemas.row),
    handle: (context, { query }) => {
      const reach = () => activeProducts
      return listSelected(context, query, list, { path: '/api/products/active', model, reach, isWhole: true })
    },
  }),
  route({
    ...listing,
    method: 'GET',
    path: '/api/products/search/:name',
    takesEmptyParameter: true, // an empty term is invalid, instead of an address that does not exist
    parameterTexts: { name: 'A part of the name, ignoring case' },
    summary: 'Search products by a part of their name',
    description:
      'The search ignores case. `%` and `_` are ordinary characters. A term has at most 1024 characters.',
    tag,
    access: 'product:read',
    reply: Type.Array(ProductSummary),
    errors: ['invalid', 'tooManyRequests'],
    handle: async (context, { path: { name = '' }, query }) => {
      const path = `/api/products/search/${encodeURIComponent(name)}`
      const filter = productsNamed(name)
      const rows = { path, model, reach: () => filter, listed: summaryMembers, isWhole: true }
      return listSelected(context, query, list, rows)
    },
  }),
  route({
    method: 'PUT',
    path: '/api/products/:id',
    summary: 'Change a product',
    description:
      '`name` and `price` are required. Other omitted members stay unchanged. Publishes the event `product.updated`.',
    tag,
    access: 'product:write',
    impersonation: 'allowed',
    body: ProductUpdate,
    reply: product.schemas.row,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    conditional: true,
    handle: async (context, { path, body, headers }) => {
      const changed = await product.change(context, path.id, body, preconditionOf(headers))
      return new Reply(changed, validatorsOf(changed))
    },
  }),
]
