import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Metric } from '../metric.ts'

/** Seconds: from a warm read to a request that ran into a time-out. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** One registry for each service, so that several can live in one process. */
export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Puts figures of features into the registry; one that cannot be read just now is left out. */
export function registerMetrics(registry: Registry, metrics: readonly Metric[]): void {
  for (const { name, help, kind, labels = [], read } of metrics) {
    const kindOfFigure = kind === 'counter' ? Counter : Gauge
    const figure: Counter | Gauge = new kindOfFigure({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect: async () => {
        const samples = await Promise.resolve(read()).catch(() => [])
        figure.reset()
        for (const sample of samples) figure.inc(sample.labels ?? {}, sample.value)
      },
    })
  }
}

/** Counts and times requests by method, route and status, and serves the figures in Prometheus' format. */
export function serveMetrics(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its reply.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [registry],
  })
  /** Looking up a labelled child costs more than observing with it. */
  const children = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = `${reply.statusCode}`
    const name = `${request.method} ${route} ${status}`
    let child = children.get(name)
    if (child === undefined) {
      child = durations.labels({ method: request.method, route, status })
      children.set(name, child)
    }
    child.observe(reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', async (_request, reply) => {
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
