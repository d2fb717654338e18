/** The routes of an instance's live figures, and of its figures in the last hours. */
import { hostname } from 'node:os'
import { Type } from 'typebox'
import type { Readiness } from '../../api/http/readiness.ts'
import type { RequestFigures } from '../../api/http/request-figures.ts'
import { now } from '../../core/context.ts'
import { type Route, route } from '../../core/feature/route.ts'
import type { Instances } from '../instance/instances.ts'
import type { TenantHealth } from '../tenant-health/tenant-health.ts'
import { type MinuteFigures, type RangeName, ranges } from './history.ts'
import { FigureHistory, Figures } from './schema.ts'

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

const RangeQuery = Type.Object({
  range: Type.Optional(
    Type.Unsafe<RangeName>({
      type: 'string',
      enum: Object.keys(ranges),
      default: '1h',
      description: 'How far back: an hour by minutes, six by five minutes, or a day by quarters of an hour',
      examples: ['6h'],
    }),
  ),
})

export function figureHistoryRoute(history: MinuteFigures, instances: Instances): Route {
  return route({
    method: 'GET',
    path: '/api/figures/history',
    summary: 'Read the figures of the last hours',
    name: 'readFigureHistory',
    description:
      'For the host tenant: what the instance that answers has kept since its start, for 24 hours at most. Each instance keeps its own requests and memory; the queues are those of all tenants.',
    tag: 'Operation',
    access: 'operation:read',
    database: 'catalogue',
    query: RangeQuery,
    reply: FigureHistory,
    errors: ['unavailable'],
    handle: async (context, { query }): Promise<FigureHistory> => {
      const { range = '1h' } = query as { range?: RangeName } // `RangeQuery` admits these names only
      const listed = await instances.list(context)
      return {
        instanceId: instances.ownId,
        host: hostname(),
        aliveInstances: Math.max(1, listed.filter(({ isAlive }) => isAlive).length),
        spanSeconds: ranges[range].spanMinutes * 60,
        ...history.read(range),
      }
    },
  })
}
