import { Type } from 'typebox'
import { Reply, type Route, route } from '../../src/index.ts'
import { Supplier, SupplierInput } from './schema.ts'
import { createSupplier, getSupplier, listSuppliers } from './supplier.ts'

const common = { tag: 'Suppliers', access: 'user' } as const

export const supplierRoutes: Route[] = [
  route({
    ...common,
    method: 'GET',
    path: '/api/suppliers',
    summary: 'List suppliers',
    query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })) }),
    reply: Type.Array(Supplier),
    handle: (context, { query }) => listSuppliers(context, query.limit ?? 50),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/api/suppliers/:id',
    summary: 'Get a supplier',
    reply: Supplier,
    errors: ['notFound'],
    handle: (context, { path }) => getSupplier(context, path.id),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/api/suppliers',
    summary: 'Create a supplier',
    body: SupplierInput,
    status: 201,
    reply: Supplier,
    headers: ['location'],
    idempotent: true,
    handle: async (context, { body }) => {
      const supplier = await createSupplier(context, body)
      return new Reply(supplier, { location: `/api/suppliers/${supplier.id}` })
    },
  }),
]
