import { type Route, route } from '../../../core/feature/route.ts'
import { getSubscriptionHealth } from './health.ts'
import { HourlyHealth } from './schema.ts'

export const healthRoutes: Route[] = [
  route({
    tag: 'Webhooks',
    access: 'webhook:read',
    inPortal: true,
    method: 'GET',
    path: '/api/webhooks/subscriptions/:id/health',
    summary: 'Count the deliveries of a subscription by hour',
    description:
      'Successes and failures of the last 24 hours. Deliveries that wait for their first attempt or were kept do not count.',
    reply: HourlyHealth,
    errors: ['notFound'],
    handle: (context, { path }) => getSubscriptionHealth(context, path.id),
  }),
]
