import { type GraphQLPart, mutation, readModel } from '../../src/index.ts'
import { Supplier, SupplierInput } from './schema.ts'
import { createSupplier } from './supplier.ts'

const supplierEntity = readModel(Supplier, { table: 'supplier' })

export const supplierGraphQL: GraphQLPart = {
  queries: {
    suppliers: { kind: 'connection', entity: supplierEntity, description: 'The suppliers that match.' },
    supplier: { kind: 'one', entity: supplierEntity, description: 'The supplier of this id, or null.' },
  },
  mutations: {
    createSupplier: mutation({
      entity: supplierEntity,
      description: 'Creates a supplier.',
      args: { input: SupplierInput },
      run: async (inside, { input }) => (await createSupplier(inside, input)).id,
    }),
  },
}
