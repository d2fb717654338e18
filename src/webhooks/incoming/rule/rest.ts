import { Type } from 'typebox'
import { reportUnknownNames } from '../../../api/http/request/unknown-name.ts'
import type { Context } from '../../../core/context.ts'
import { Reply, type Route, route } from '../../../core/feature/route.ts'
import { rules } from './readable.ts'
import { createRule, deleteRule, updateRule } from './rule.ts'
import { Rule, RuleAction, RuleInput, RuleUpdate } from './schema.ts'

const writing = { tag: 'Incoming webhooks', access: 'incomingWebhook:write' } as const
const base = '/api/webhooks/rules'

export const ruleRoutes: Route[] = [
  rules.list,
  rules.get,
  route({
    tag: 'Incoming webhooks',
    access: 'incomingWebhook:read',
    method: 'GET',
    path: '/api/webhooks/actions',
    summary: 'List the actions that rules may run',
    name: 'listWebhookActions',
    description: 'Those of the service and of the application, by name.',
    database: 'catalogue',
    reply: Type.Array(RuleAction),
    bounded: 'The list is short, because features declare the actions.',
    // Every declared action is found: `'admin'` satisfies the compiler only.
    handle: async ({ shared: { actions } }) =>
      actions.declared.list().map((name) => ({ name, access: actions.find(name)?.access ?? 'admin' })),
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
    reply: Rule,
    errors: ['notFound'],
    headers: ['unknown-names'],
    handle: async (context, { path, body, strict }) => {
      const unknown = reportUnknownAction(context, body.action, strict)
      return new Reply(await updateRule(context, path.id, body), unknown)
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
    handle: (context, { path }) => deleteRule(context, path.id),
  }),
]

function reportUnknownAction(context: Context, action: string | undefined, strict: boolean) {
  const given = action === undefined ? [] : [['/action', action] as const]
  return reportUnknownNames(context, given, { declared: context.shared.actions.declared, strict })
}
