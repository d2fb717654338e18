import { Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../../api/http/reply/condition.ts'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import { createView, getView, listViews, removeView, type StoredView, updateSavedView } from './saved-view.ts'
import { maxSharedViews, maxViews, View, ViewInput, ViewQuery, ViewUpdate } from './schema.ts'

const common = { tag: 'Views', access: 'user', database: 'catalogue' } as const
const base = '/api/views'
const ofOne = { ...common, path: `${base}/:id` } as const

export const savedViewRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    path: base,
    summary: 'List views',
    description:
      'Your own, and those that are shared with you, in the order of creation; of one `entity`, if it is given. A view ' +
      'of an entity whose rows you may not read is not among them.',
    query: ViewQuery,
    refusesUnknownParameters: true,
    reply: Type.Array(View),
    bounded: `A user has ${maxViews} at most, and a tenant ${maxSharedViews} shared ones.`,
    handle: (context, { query }) => listViews(context, query.entity),
  }),
  route({
    ...ofOne,
    method: 'GET',
    summary: 'Get a view',
    description: 'Send its `ETag` in `If-Match` to change it.',
    reply: View,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    handle: async (context, { path }) => tagged(await getView(context, path.id)),
  }),
  route({
    ...common,
    method: 'POST',
    path: base,
    summary: 'Create a view',
    description:
      'It belongs to you, and is deleted with you. Sharing it requires the permission `view:share`. An API key that ' +
      'acts for no user is refused with 403.',
    body: ViewInput,
    status: 201,
    reply: View,
    headers: ['etag', 'last-modified', 'location'],
    errors: ['forbidden'],
    idempotent: true,
    handle: async (context, { body }) => {
      const view = await createView(context, body)
      return tagged(view, { location: `${base}/${view.id}` })
    },
  }),
  route({
    ...ofOne,
    method: 'PATCH',
    summary: 'Change a view',
    description: 'Its owner changes it, and whoever has the permission `view:share` changes shared ones.',
    body: ViewUpdate,
    reply: View,
    headers: ['etag', 'last-modified'],
    errors: ['forbidden', 'notFound'],
    conditional: true,
    handle: async (context, { path, body, headers }) => {
      const change = { input: body, precondition: preconditionOf(headers) }
      return tagged(await updateSavedView(context, path.id, change))
    },
  }),
  route({
    ...ofOne,
    method: 'DELETE',
    summary: 'Delete a view',
    description: 'Its owner deletes it, and whoever has the permission `view:share` deletes shared ones.',
    status: 204,
    errors: ['forbidden', 'notFound'],
    conditional: true,
    handle: (context, { path, headers }) => removeView(context, path.id, preconditionOf(headers)),
  }),
]

function tagged({ version, ...view }: StoredView, headers: Record<string, string> = {}): Reply {
  return new Reply(view, { ...validatorsOf({ version, updatedAt: view.updatedAt }), ...headers })
}
