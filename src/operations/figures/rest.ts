import type { Readiness } from '../../api/http/readiness.ts'
import type { RequestFigures } from '../../api/http/request-figures.ts'
import { now } from '../../core/context.ts'
import { type Route, route } from '../../core/feature/route.ts'
import type { TenantHealth } from '../tenant-health/tenant-health.ts'
import { Figures } from './schema.ts'

interface FigureSources {
  instanceId: string
  readiness: Pick<Readiness, 'reason'>
  requests: RequestFigures
  health: TenantHealth
}

export function figureRoute({ instanceId, readiness, requests, health }: FigureSources): Route {
  return route({
    method: 'GET',
    path: '/api/figures',
    summary: 'Read a few live figures',
    name: 'readFigures',
    description:
      'For the host tenant: requests and memory of the instance that answers, and the queues of all tenants, whose counts are up to 15 seconds old. The metrics for Prometheus have many more.',
    tag: 'Operation',
    access: 'operation:read',
    database: 'catalogue',
    status: 200,
    reply: Figures,
    errors: ['unavailable'],
    handle: async (context): Promise<Figures> => {
      const { waiting, dead } = await health.totals()
      const { errors, seconds, buckets } = requests
      return {
        instanceId,
        at: now(context),
        requests: { errors, seconds, buckets },
        waiting,
        dead,
        notReady: readiness.reason,
        residentBytes: process.memoryUsage.rss(),
      }
    },
  })
}
