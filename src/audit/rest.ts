import { Type } from 'typebox'
import { pageReply } from '../http/link.ts'
import { type Route, route } from '../http/route.ts'
import { defaultPageSize, PageQuery } from '../page.ts'
import { Nullable, Timestamp, Uuid } from '../schema.ts'
import { listAudit } from './audit.ts'

const AuditRecord = Type.Object(
  {
    id: Uuid,
    tenantId: Type.String({ examples: ['acme'] }),
    actorId: Nullable(Uuid),
    actorName: Nullable(Type.String({ examples: ['ada'] })),
    action: Type.String({ examples: ['user.created'] }),
    subjectType: Type.String({ examples: ['user'] }),
    subjectId: Nullable(Type.String({ examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'] })),
    detail: Type.Object({}, { additionalProperties: true }),
    clientAddress: Nullable(Type.String({ examples: ['203.0.113.7'] })),
    requestId: Type.String({ examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'] }),
    createdAt: Timestamp,
  },
  { $id: 'AuditRecord' },
)

const AuditQuery = Type.Object({
  ...PageQuery,
  action: Type.Optional(Type.String({ maxLength: 100, examples: ['user.created'] })),
  actorId: Type.Optional(Type.String({ format: 'uuid' })),
  subjectId: Type.Optional(Type.String({ maxLength: 100 })),
})

export const auditRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/audit',
    summary: 'List the audit records of the own tenant, newest first',
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
