/** The routes of the audit: its records, and the actions that it records. */
import { type Static, Type } from 'typebox'
import type { AuditedAction } from '../../core/audit/action.ts'
import { listAudit, listAuditOfTenants } from '../../core/audit/audit.ts'
import { AuditRecord } from '../../core/audit/record.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { translated } from '../../core/language/languages.ts'
import { ListParameters } from '../../core/page.ts'
import { LanguageQuery, languageAskedFor, replyIn } from '../http/reply/language.ts'
import { listRoute } from '../http/reply/list-route.ts'

const DescribedAction = Type.Object(
  {
    action: Type.String({ description: 'A noun and a verb', examples: ['user.created'] }),
    summary: Type.String({ description: 'What was done', examples: ['A user was created'] }),
  },
  { $id: 'AuditedAction', description: 'An action that the audit records.' },
)

const filters = {
  action: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only records of this action', examples: ['user.created'] }),
  ),
  actorId: Type.Optional(Type.String({ format: 'uuid', description: 'Only records of this user' })),
  subjectId: Type.Optional(Type.String({ maxLength: 100, description: 'Only records of this subject' })),
}

const filtersOfAll = {
  ...filters,
  count: Type.Optional({ ...ListParameters.count, examples: ['false'] }), // a count needs `tenantId`
  tenantId: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only records of this tenant', examples: ['acme'] }),
  ),
}

export const auditRoutes: Route[] = [
  listRoute({
    path: '/api/audit',
    summary: 'List the audit records of the caller’s tenant, newest first',
    name: 'listAuditRecords',
    description:
      'Sign-ins, and changes of users, tenants, keys and subscriptions: who did what, when and from where. The list is always paged.',
    tag: 'Audit',
    access: 'audit:read',
    row: AuditRecord,
    filters,
    errors: ['tooManyRequests'],
    read: listAudit,
  }),
  listRoute({
    path: '/api/audit/all',
    summary: 'List the audit records of all tenants, newest first',
    name: 'listAuditRecordsOfTenants',
    description:
      'For the host tenant. Records that are in the own database of a tenant are listed with the filter `tenantId` only. `count` needs this filter as well: the log of all tenants is too long to be counted.',
    tag: 'Audit',
    access: 'audit:read-all',
    database: 'catalogue',
    row: AuditRecord,
    filters: filtersOfAll,
    errors: ['unavailable', 'tooManyRequests'],
    read: listAuditOfTenants,
  }),
  route({
    method: 'GET',
    path: '/api/audit/actions',
    summary: 'List the actions that the audit records',
    name: 'listAuditedActions',
    description: 'The values of the filter `action`, by name.',
    tag: 'Audit',
    access: 'audit:read',
    database: 'catalogue',
    query: LanguageQuery,
    byLanguage: true,
    reply: Type.Array(DescribedAction),
    bounded: 'Features declare a fixed number of actions.',
    handle: async ({ shared }, input) => {
      const language = languageAskedFor(input, shared.languages)
      return replyIn(language, describedActions(shared.auditActions, language))
    },
  }),
]

function describedActions(
  actions: ReadonlyMap<string, AuditedAction>,
  language: string,
): Static<typeof DescribedAction>[] {
  return [...actions]
    .map(([action, { summary, labels }]) => ({
      action,
      summary: translated(language, 'audited', { name: action, text: summary, labels }),
    }))
    .sort(byAction)
}

function byAction(one: { action: string }, other: { action: string }): number {
  return one.action < other.action ? -1 : 1
}
