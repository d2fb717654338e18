import { Type } from 'typebox'
import { listReply } from '../../../api/http/reply/json-list.ts'
import { reportUnknownNames } from '../../../api/http/request/unknown-name.ts'
import type { Context } from '../../../core/context.ts'
import { Reply, type Route, route } from '../../../core/feature/route.ts'
import { rowPage } from '../../../database/json-page.ts'
import { createRule, deleteRule, listRules, updateRule } from './rule.ts'
import { Rule, RuleInput, RuleQuery, RuleUpdate } from './schema.ts'

const common = { tag: 'Incoming webhooks' } as const
const reading = { ...common, access: 'incomingWebhook:read' } as const
const writing = { ...common, access: 'incomingWebhook:write' } as const
const base = '/api/webhooks/rules'

export const ruleRoutes: Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: base,
    summary: 'List the rules for incoming webhooks',
    description:
      'The rules that you made, or as an administrator all of the tenant, in the order of creation. With `limit` or `cursor`, one page.',
    query: RuleQuery,
    status: 200,
    reply: Type.Array(Rule),
    headers: ['etag', 'link'],
    handle: (context, { query }) =>
      listReply(context, base, query, async (range) => rowPage(await listRules(context, range))),
  }),
  route({
    ...writing,
    method: 'POST',
    path: base,
    summary: 'Run an action for the events of a provider',
    description:
      'All matching rules run, the oldest first. You can name only actions that you may run yourself; whether you still may is checked for each run. An action need not exist: the log shows its runs as `UNHANDLED`. A tenant has at most 100 rules.',
    body: RuleInput,
    status: 201,
    reply: Rule,
    headers: ['location', 'unknown-names'],
    idempotent: true,
    handle: async (context, { body, strict }) => {
      const unknown = reportUnknownAction(context, body.action, strict)
      const rule = await createRule(context, body)
      return new Reply(rule, { location: `${base}/${rule.id}`, ...unknown })
    },
  }),
  route({
    ...writing,
    method: 'PATCH',
    path: `${base}/:id`,
    summary: 'Change, pause or resume a rule',
    description:
      'Omitted members stay unchanged. `isActive: false` pauses the rule. Its pending runs are still retried. Whoever names `action` becomes the owner of the rule.',
    body: RuleUpdate,
    status: 200,
    reply: Rule,
    errors: ['notFound'],
    headers: ['unknown-names'],
    handle: async (context, { path, body, strict }) => {
      const unknown = reportUnknownAction(context, body.action, strict)
      return new Reply(await updateRule(context, path['id'] ?? '', body), unknown)
    },
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: `${base}/:id`,
    summary: 'Delete a rule',
    description: 'Its pending runs are still retried.',
    status: 204,
    errors: ['notFound'],
    handle: (context, { path }) => deleteRule(context, path['id'] ?? ''),
  }),
]

function reportUnknownAction(context: Context, action: string | undefined, strict: boolean) {
  const given = action === undefined ? [] : [['/action', action] as const]
  return reportUnknownNames(context, given, { declared: context.shared.actions.declared, strict })
}
