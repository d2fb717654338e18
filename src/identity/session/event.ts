import { Type } from 'typebox'
import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { Text, Timestamp, Uuid } from '../../core/schema/schema.ts'
import { Device, Place } from './schema.ts'

const newDevice = Type.Object({
  userId: Uuid,
  userName: Text(1, 256, { examples: ['ada'] }),
  sessionId: Uuid,
  device: Device,
  network: Place,
  signedInAt: Timestamp,
})

export const sessionEvents = {
  'device.added': {
    summary: 'A user signed in from a device and a network that are new for the user.',
    payload: newDevice,
    access: 'admin',
  },
} satisfies EventCatalogue

export const sessionAudit = {
  'session.started': 'A user signed in',
  'session.refused': 'A sign-in was refused',
  'session.ended': 'A session was ended by its user or by an administrator',
  'session.reuseDetected': 'A replaced refresh token was used again, which ended its session',
  'session.steppedUp': 'A user proved again who they are',
  'session.stepUpRefused': 'A user tried to prove again who they are, with a wrong password or code',
} satisfies AuditCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof sessionEvents> {}
}

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof sessionAudit, string> {}
}
