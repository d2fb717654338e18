import { type Static, Type } from 'typebox'
import type { EventCatalogue } from '../../src/index.ts'

const SupplierCreated = Type.Object({
  supplierId: Type.String({ format: 'uuid' }),
  name: Type.String({ examples: ['Nordic Timber'] }),
})

declare module '../../src/index.ts' {
  interface EventPayloads {
    'supplier.created': Static<typeof SupplierCreated>
  }
}

export const supplierEvents: EventCatalogue = {
  'supplier.created': { summary: 'A supplier was created.', payload: SupplierCreated },
}
