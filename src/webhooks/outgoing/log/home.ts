/**
 * What deliveries add to the home page of the console: the number of those that have failed for good, which somebody
 * should look at, and a step of setting up that is done when the first delivery has succeeded.
 */
import type { HomePart } from '../../../core/feature/browsed.ts'
import { comparing } from '../../../database/read/conditions.ts'
import { deliveries } from './readable.ts'

const withStatus = (status: 'DEAD' | 'SUCCEEDED') => comparing(deliveries.model, 'status', 'eq', status)

export const deliveryHome: HomePart = {
  needs: [
    {
      kind: 'failedDeliveries',
      access: 'webhook:read',
      count: (context, bounds) => deliveries.countUpTo(context, withStatus('DEAD'), bounds),
    },
  ],
  steps: [
    {
      kind: 'webhookDelivered',
      access: 'webhook:read',
      isDone: async (context, time) =>
        (await deliveries.countUpTo(context, withStatus('SUCCEEDED'), { limit: 1, time })) > 0,
    },
  ],
}
