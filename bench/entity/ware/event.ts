import { Type } from 'typebox'
import { type EventCatalogue, type PayloadsOf, Price, Text, Uuid } from '../../../src/index.ts'

const WareCreated = Type.Object({ wareId: Uuid, name: Text(1, 200), price: Price })

export const wareEvents = {
  'ware.created': { summary: 'A ware was created.', payload: WareCreated },
} satisfies EventCatalogue

declare module '../../../src/index.ts' {
  interface EventPayloads extends PayloadsOf<typeof wareEvents> {}
}
