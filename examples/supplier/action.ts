import { Type } from 'typebox'
import { type ActionCatalogue, action } from '../../src/index.ts'
import { SupplierInput } from './schema.ts'
import { createSupplier } from './supplier.ts'

export const supplierActions: ActionCatalogue = {
  'supplier.create': action({
    access: 'user',
    payload: Type.Object({ data: SupplierInput }),
    run: async (context, { payload }) => {
      await createSupplier(context, payload.data)
    },
  }),
}
