import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from '../schema/schema.ts'

export const AuditRecord = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the record' },
    tenantId: Type.String({ description: 'The tenant of the record', examples: ['acme'] }),
    actorId: Nullable({
      ...Uuid,
      description: 'The user who did it; `null` for the service and for callers without a token',
    }),
    actorName: Nullable(Type.String({ description: 'The user name at that time', examples: ['ada'] })),
    impersonatorId: Nullable({
      ...Uuid,
      description: 'The administrator of the host tenant who acted as this user; `null` without one',
    }),
    impersonatorName: Nullable(
      Type.String({ description: 'The user name of that administrator at that time', examples: ['admin'] }),
    ),
    action: Type.String({ description: 'What was done: a noun and a verb', examples: ['user.created'] }),
    subjectType: Type.String({ description: 'The kind of the subject', examples: ['user'] }),
    subjectId: Nullable(
      Type.String({
        description: 'The id of the subject',
        examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'],
      }),
    ),
    detail: Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { additionalProperties: true, description: 'Details, without secrets' }),
    ),
    clientAddress: Nullable(
      Type.String({ description: 'The address of the client', examples: ['203.0.113.7'] }),
    ),
    requestId: Type.String({
      description: 'The id of the request, as in `X-Request-Id` and in the log',
      examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'],
    }),
    createdAt: Timestamp,
  },
  { $id: 'AuditRecord', description: 'A record of the audit.' },
)

export type AuditRecord = Static<typeof AuditRecord>
