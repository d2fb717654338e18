import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { Price, Text, Uuid } from '../../core/schema/schema.ts'

const name = Text(1, 200, { examples: ['Walnut desk'] })

export const productEvents = {
  'product.created': {
    summary: 'A product was created.',
    payload: Type.Object({ productId: Uuid, name, price: Price }),
  },
  'product.updated': {
    summary: 'A product was changed.',
    payload: Type.Object({ productId: Uuid, name, price: Price, isActive: Type.Boolean() }),
  },
  'product.deleted': {
    summary: 'A product was deleted.',
    payload: Type.Object({ productId: Uuid }),
  },
} satisfies EventCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof productEvents> {}
}
