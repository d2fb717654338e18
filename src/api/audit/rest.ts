import { Type } from 'typebox'
import { listAudit } from '../../core/audit/audit.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { defaultPageSize, PageQuery } from '../../core/page.ts'
import { Nullable, Timestamp, Uuid } from '../../core/schema/schema.ts'
import { pageReply } from '../http/reply/link.ts'

const AuditRecord = Type.Object(
  {
    id: { ...Uuid, description: 'Of the record' },
    tenantId: Type.String({ description: 'Whose record it is', examples: ['acme'] }),
    actorId: Nullable({
      ...Uuid,
      description: 'The user who did it; `null` for the service itself and for strangers',
    }),
    actorName: Nullable(Type.String({ description: 'The user name at that time', examples: ['ada'] })),
    action: Type.String({ description: 'What was done: a noun and a verb', examples: ['user.created'] }),
    subjectType: Type.String({ description: 'What kind of thing it was done to', examples: ['user'] }),
    subjectId: Nullable(
      Type.String({ description: 'What it was done to', examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'] }),
    ),
    detail: Type.Object({}, { additionalProperties: true, description: 'More about it, without secrets' }),
    clientAddress: Nullable(
      Type.String({ description: 'Where the request came from', examples: ['203.0.113.7'] }),
    ),
    requestId: Type.String({
      description: 'Of the request that did it, as in `X-Request-Id` and in the log',
      examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'],
    }),
    createdAt: Timestamp,
  },
  { $id: 'AuditRecord', description: 'Who did what.' },
)

const AuditQuery = Type.Object({
  ...PageQuery,
  action: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only records of this action', examples: ['user.created'] }),
  ),
  actorId: Type.Optional(Type.String({ format: 'uuid', description: 'Only what this user did' })),
  subjectId: Type.Optional(Type.String({ maxLength: 100, description: 'Only what was done to this' })),
})

export const auditRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/audit',
    summary: 'List the audit records of the own tenant, newest first',
    name: 'listAuditRecords',
    description:
      'Sign-ins, and changes of users, tenants, keys and subscriptions: who did what, when and from where. It is always paged.',
    tag: 'Audit',
    access: 'admin',
    query: AuditQuery,
    status: 200,
    reply: Type.Array(AuditRecord),
    headers: ['link'],
    handle: async (context, { query }) =>
      pageReply(
        '/api/audit',
        query,
        await listAudit(context, { ...query, limit: query.limit ?? defaultPageSize }),
      ),
  }),
]
