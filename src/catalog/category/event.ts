import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { Text, Uuid } from '../../core/schema/schema.ts'

const category = { categoryId: Uuid, name: Text(1, 200, { examples: ['Furniture'] }) }

export const categoryEvents = {
  'category.created': { summary: 'A category was created.', payload: Type.Object(category) },
  'category.updated': { summary: 'A category was changed.', payload: Type.Object(category) },
  'category.deleted': { summary: 'A category was deleted.', payload: Type.Object({ categoryId: Uuid }) },
} satisfies EventCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof categoryEvents> {}
}
