import { Type } from 'typebox'
import { JsonText, listReply, PageQuery, Reply, type Route, route, validatorsOf } from '../../../src/index.ts'
import { Ware, WareInput } from './schema.ts'
import { createWare, getWare, listWares } from './ware.ts'

const tag = 'Wares'

export const wareRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/wares',
    summary: 'List wares',
    tag,
    access: 'public',
    query: Type.Object(PageQuery),
    status: 200,
    reply: Type.Array(Ware),
    headers: ['etag', 'link'],
    handle: (context, { query }) =>
      listReply(context, '/api/wares', query, (range) => listWares(context, range)),
  }),
  route({
    method: 'GET',
    path: '/api/wares/:id',
    summary: 'Get a ware',
    tag,
    access: 'user',
    status: 200,
    reply: Ware,
    headers: ['etag', 'last-modified'],
    errors: ['notFound'],
    handle: async (context, { path }) => {
      const { json, ...row } = await getWare(context, path['id'] ?? '')
      return new Reply(new JsonText(json), validatorsOf(row))
    },
  }),
  route({
    method: 'POST',
    path: '/api/wares',
    summary: 'Create a ware',
    tag,
    access: 'user',
    body: WareInput,
    status: 201,
    reply: Ware,
    headers: ['etag', 'last-modified', 'location'],
    idempotent: true,
    handle: async (context, { body }) => {
      const ware = await createWare(context, body)
      return new Reply(ware, { ...validatorsOf(ware), location: `/api/wares/${ware.id}` })
    },
  }),
]
