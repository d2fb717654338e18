/** Metrics for Prometheus: of the process, of features, and of requests. */
import type { FastifyInstance, FastifyReply, onResponseHookHandler } from 'fastify'
import {
  type Metric as ClientMetric,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import type { Metric, Sample } from '../../core/metric.ts'
import { shareAnswer } from '../../database/shared-answer.ts'
import type { RenderedMetrics } from './connection/metrics-listener.ts'
import type { ReplyEnd } from './reply-end.ts'
import { durationBuckets, type RequestFigures } from './request-figures.ts'

/** Creates the registry of one service. A process can have several; each registry has the metrics of the process. */
export function createMetrics(): Registry {
  ofProcess ??= collectedOfProcess()
  const registry = new Registry()
  for (const metric of ofProcess) registry.registerMetric(metric)
  return registry
}

/** Metrics of the process, collected once, because their timer and observer of garbage collections never end. */
let ofProcess: ClientMetric[] | undefined

function collectedOfProcess(): ClientMetric[] {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const metrics = registry.getMetricsAsArray().map(({ name }) => registry.getSingleMetric(name))
  return metrics.filter((metric) => metric !== undefined)
}

/** Registers the metrics of features. A metric that cannot be read is omitted. */
export function registerMetrics(registry: Registry, metrics: readonly Metric[]): void {
  for (const { name, help, kind, labels = [], read } of metrics) {
    const Collector = kind === 'counter' ? Counter : Gauge
    const collector: Counter | Gauge = new Collector({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect: async () => {
        const samples = await samplesOf(read)
        collector.reset()
        // Without labels `reset` sets 0, which would be wrong.
        collector.remove({})
        for (const sample of samples) collector.inc(sample.labels ?? {}, sample.value)
      },
    })
  }
}

async function samplesOf(read: Metric['read']): Promise<readonly Sample[]> {
  try {
    return await read()
  } catch {
    return [] // the other metrics are served
  }
}

/** Rendering takes milliseconds, and anyone may request it. */
const defaultMaxAgeMs = 1000

/**
 * Counts and times requests by method, route and status.
 * @param app without routes
 * @param figures counts the requests of all routes together
 * @param maxAgeMs of the text that is served
 * @returns the metrics in the format of Prometheus
 */
export function measureRequests(
  { app, end }: { app: FastifyInstance; end: ReplyEnd },
  registry: Registry,
  figures: RequestFigures,
  maxAgeMs: number = defaultMaxAgeMs,
): RenderedMetrics {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its reply.',
    labelNames: ['method', 'route', 'status'],
    buckets: durationBuckets,
    registers: [registry],
  })
  /** Each route keeps its series by status: finding a series by labels costs more than an observation. */
  const observer = (labels: { method: string; route: string }) => {
    const byStatus = new Map<number, { observe(seconds: number): void }>()
    return ({ statusCode, elapsedTime }: FastifyReply): void => {
      const series = byStatus.get(statusCode) ?? durations.labels({ ...labels, status: `${statusCode}` })
      byStatus.set(statusCode, series)
      series.observe(elapsedTime / 1000)
      figures.observe(statusCode, elapsedTime / 1000)
    }
  }
  app.addHook('onRoute', (route) => {
    const observe = observer({ method: String(route.method), route: route.url })
    const hook: onResponseHookHandler = (_request, reply, done) => {
      observe(reply)
      done()
    }
    const { onResponse: others = [] } = route
    route.onResponse = Array.isArray(others) ? [...others, hook] : [others, hook]
  })
  const unknown = new Map<string, (reply: FastifyReply) => void>()
  end.add(({ admitted, is404, method }, reply) => {
    if (admitted) figures.byTenant.countRequest(admitted.tenant.id, reply.statusCode)
    if (!is404) return
    const observe = unknown.get(method) ?? observer({ method, route: 'unknown' })
    unknown.set(method, observe)
    observe(reply)
  })
  return { type: registry.contentType, render: shareAnswer(() => registry.metrics(), maxAgeMs) }
}

/** Serves the metrics on the port of the service. */
export function serveMetrics(app: FastifyInstance, { type, render }: RenderedMetrics): void {
  app.get('/metrics', async (_request, reply) => reply.type(type).send(await render()))
}
