import { type Route, route } from '../../../core/feature/route.ts'
import { dryRunRule } from './dry-run.ts'
import { DryRun, DryRunInput } from './schema.ts'

export const dryRunRoutes: Route[] = [
  route({
    tag: 'Incoming webhooks',
    access: 'incomingWebhook:write',
    method: 'POST',
    path: '/api/webhooks/rules/:id/dry-run',
    summary: 'Try a rule without changing anything',
    name: 'dryRunWebhookRule',
    description:
      'Says whether the rule matches a sample body or a received webhook, what its action reads, and which events its ' +
      'changes would publish. The changes are rolled back.',
    body: DryRunInput,
    reply: DryRun,
    errors: ['notFound', 'tooManyRequests'],
    handle: (context, { path, body }) => dryRunRule(context, path.id, body),
  }),
]
