import { Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import { listReply } from '../../api/http/reply/json-list.ts'
import { JsonText, Reply, type Route, route } from '../../core/feature/route.ts'
import { PageQuery } from '../../core/page.ts'
import {
  createProduct,
  deleteProduct,
  getProduct,
  listActiveProducts,
  listProducts,
  searchProducts,
  updateProduct,
} from './product.ts'
import { Product, ProductInput, ProductSummary, ProductUpdate, type StoredProduct } from './schema.ts'

const tag = 'Products'
const ListQuery = Type.Object(PageQuery)

export const productRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/products',
    summary: 'List products',
    description:
      'Without parameters it lists all products of the tenant, active or not, in the order of creation, as one ' +
      'streamed array. With `limit` or `cursor` one page; its `Link` header leads to the next.',
    tag,
    access: 'public',
    query: ListQuery,
    status: 200,
    reply: Type.Array(Product),
    headers: ['etag', 'link'],
    handle: (context, { query }) =>
      listReply(context, '/api/products', query, (range) => listProducts(context, range)),
  }),
  route({
    method: 'GET',
    path: '/api/products/active',
    summary: 'List active products',
    description: 'Like `GET /api/products`, without the products whose `isActive` is `false`.',
    tag,
    access: 'user',
    query: ListQuery,
    status: 200,
    reply: Type.Array(Product),
    headers: ['etag', 'link'],
    handle: (context, { query }) =>
      listReply(context, '/api/products/active', query, (range) => listActiveProducts(context, range)),
  }),
  route({
    method: 'GET',
    path: '/api/products/search/:name',
    takesEmptyParameter: true,
    parameterTexts: { name: 'A part of the name, ignoring case' },
    summary: 'Search products by a part of their name',
    description:
      'The search ignores case. `%` and `_` are ordinary characters. A term has at most 1024 characters.',
    tag,
    access: 'user',
    query: ListQuery,
    status: 200,
    reply: Type.Array(ProductSummary),
    headers: ['etag', 'link'],
    errors: ['invalid'],
    handle: (context, { path, query }) => {
      const term = path['name'] ?? ''
      const address = `/api/products/search/${encodeURIComponent(term)}`
      return listReply(context, address, query, (range) => searchProducts(context, term, range))
    },
  }),
  route({
    method: 'GET',
    path: '/api/products/:id',
    summary: 'Get a product',
    description: 'Returns active and inactive products. Send the `ETag` in `If-Match` to change the product.',
    tag,
    access: 'user',
    status: 200,
    reply: Product,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    handle: async (context, { path }) => {
      const { json, ...row } = await getProduct(context, path['id'] ?? '')
      return new Reply(new JsonText(json), validatorsOf(row))
    },
  }),
  route({
    method: 'POST',
    path: '/api/products',
    summary: 'Create a product',
    description: 'The product is active unless `isActive` is `false`. Publishes the event `product.created`.',
    tag,
    access: 'user',
    body: ProductInput,
    status: 201,
    reply: Product,
    headers: ['etag', 'last-modified', 'location'],
    idempotent: true,
    handle: async (context, { body }) => {
      const product = await createProduct(context, body)
      return tagged(product, { location: `/api/products/${product.id}` })
    },
  }),
  route({
    method: 'PUT',
    path: '/api/products/:id',
    summary: 'Change a product',
    description:
      '`name` and `price` are required. Other omitted members stay unchanged. Publishes the event `product.updated`.',
    tag,
    access: 'user',
    body: ProductUpdate,
    status: 200,
    reply: Product,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    conditional: true,
    handle: async (context, { path, body, headers }) =>
      tagged(await updateProduct(context, path['id'] ?? '', body, preconditionOf(headers))),
  }),
  route({
    method: 'DELETE',
    path: '/api/products/:id',
    summary: 'Delete a product',
    description: 'Orders keep their copies of its name and price. Publishes the event `product.deleted`.',
    tag,
    access: 'user',
    status: 204,
    errors: ['notFound'],
    conditional: true,
    handle: (context, { path, headers }) => deleteProduct(context, path['id'] ?? '', preconditionOf(headers)),
  }),
]

function tagged(product: StoredProduct, headers: Record<string, string> = {}): Reply {
  return new Reply(product, { ...validatorsOf(product), ...headers })
}
