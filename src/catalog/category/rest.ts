import { Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import { listReply } from '../../api/http/reply/json-list.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import { PageQuery } from '../../core/page.ts'
import { createCategory, deleteCategory, getCategory, listCategories, updateCategory } from './category.ts'
import { Category, CategoryInput, type StoredCategory } from './schema.ts'

const common = { tag: 'Categories', access: 'user' } as const

export const categoryRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    path: '/api/categories',
    summary: 'List categories',
    description:
      'Lists all categories of the tenant in the order of creation. With `limit` or `cursor` it lists one page.',
    query: Type.Object(PageQuery),
    status: 200,
    reply: Type.Array(Category),
    headers: ['etag', 'link'],
    handle: (context, { query }) =>
      listReply(context, '/api/categories', query, (range) => listCategories(context, range)),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/categories/:id',
    summary: 'Get a category',
    description: 'Send its `ETag` in `If-Match` to change it.',
    status: 200,
    reply: Category,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    handle: async (context, { path }) => tagged(await getCategory(context, path['id'] ?? '')),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/categories',
    summary: 'Create a category',
    description: 'A name that another category has is refused with 400.',
    body: CategoryInput,
    status: 201,
    reply: Category,
    headers: ['etag', 'last-modified', 'location'],
    idempotent: true,
    handle: async (context, { body }) => {
      const category = await createCategory(context, body)
      return tagged(category, { location: `/api/categories/${category.id}` })
    },
  }),
  route({
    ...common,
    method: 'PUT',
    path: '/api/categories/:id',
    summary: 'Change a category',
    description: 'The products of the category stay in it.',
    body: CategoryInput,
    status: 200,
    reply: Category,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    conditional: true,
    handle: async (context, { path, body, headers }) =>
      tagged(await updateCategory(context, path['id'] ?? '', body, preconditionOf(headers))),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/api/categories/:id',
    summary: 'Delete a category',
    description: 'A category with products cannot be deleted.',
    status: 204,
    errors: ['invalid', 'notFound'],
    conditional: true,
    handle: (context, { path, headers }) =>
      deleteCategory(context, path['id'] ?? '', preconditionOf(headers)),
  }),
]

function tagged(category: StoredCategory, headers: Record<string, string> = {}): Reply {
  return new Reply(category, { ...validatorsOf(category), ...headers })
}
