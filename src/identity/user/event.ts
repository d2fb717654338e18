import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { Text, Uuid } from '../../core/schema/schema.ts'

const user = { userId: Uuid, userName: Text(1, 256, { examples: ['ada'] }) }
const access = 'admin'

export const userEvents = {
  'user.created': { summary: 'A user was created.', payload: Type.Object(user), access },
  'user.updated': { summary: 'A user was changed.', payload: Type.Object(user), access },
  'user.deleted': { summary: 'A user was deleted.', payload: Type.Object({ userId: Uuid }), access },
} satisfies EventCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof userEvents> {}
}
