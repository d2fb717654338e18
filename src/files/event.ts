import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../core/events/event-type.ts'
import { Uuid } from '../core/schema/schema.ts'
import { FileReply } from './schema.ts'

const { name, type, size } = FileReply.properties

/** @param access the permission to read every file, because the events tell of every file */
export const fileEventsFor = (access: 'file:read' | 'file:all') =>
  ({
    'file.created': {
      summary: 'A file was uploaded.',
      payload: Type.Object({ fileId: Uuid, name, type, size }),
      access,
    },
    'file.deleted': {
      summary: 'A file was deleted, by a caller or because no row named it.',
      payload: Type.Object({ fileId: Uuid, name }),
      access,
    },
  }) satisfies EventCatalogue

declare module '../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<ReturnType<typeof fileEventsFor>> {}
}
