import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createMetrics, registerMetrics } from '../../../src/api/http/metrics.ts'
import type { Metric } from '../../../src/core/metric.ts'
import { startService, type TestService } from '../../support/service.ts'

describe('The metrics', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite')
  })
  after(() => service.stop())

  it('are in the format of Prometheus, and count requests by method, route and status', async () => {
    const client = service.host
    const { body } = await client.post('/api/products', { name: 'Desk', price: 1 })
    for (let count = 0; count < 3; count++) await client.get(`/api/products/${body.id}`)
    await client.get('/api/products/no-id')
    await client.get('/no/such/place')

    const { status, headers, text } = await service.anonymous.get('/metrics')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const { samples, types } = parseMetrics(text)
    assert.equal(types.get('http_request_duration_seconds'), 'histogram')
    const counted = (labels: string) => samples.get(`http_request_duration_seconds_count{${labels}}`)
    assert.equal(counted('method="POST",route="/api/products",status="201"'), 1)
    assert.equal(counted('method="GET",route="/api/products/:id",status="200"'), 3)
    assert.equal(counted('method="GET",route="/api/products/:id",status="404"'), 1)
    assert.equal(counted('method="GET",route="unknown",status="404"'), 1)
    assert.ok(!text.includes(body.id), 'a series for each id would never end')
    for (const name of ['process_cpu_user_seconds_total', 'process_start_time_seconds']) {
      assert.ok((samples.get(name) ?? 0) > 0, name)
    }
    assert.ok((samples.get('process_resident_memory_bytes') ?? 0) > 10_000_000)
    assert.ok(samples.has('nodejs_eventloop_lag_seconds'))
  })

  it('of the process are collected once, however many services it has had', () => {
    const [one, other] = [createMetrics(), createMetrics()].map((registry) => registry.getMetricsAsArray())
    assert.ok(one?.some(({ name }) => name === 'nodejs_eventloop_lag_seconds'))
    assert.ok(one?.every((metric, index) => metric === other?.[index]))
  })

  it('are served without one that cannot be read, whether its reader throws or rejects', async () => {
    const registry = createMetrics()
    const failing = (name: string, read: Metric['read']): Metric => ({
      name,
      help: name,
      kind: 'gauge',
      read,
    })
    registerMetrics(registry, [
      failing('throwing', () => {
        throw new Error('not readable')
      }),
      failing('rejecting', () => Promise.reject(new Error('not readable'))),
      failing('readable', () => [{ value: 7 }]),
    ])
    const { samples } = parseMetrics(await registry.metrics())
    assert.equal(samples.get('readable'), 7)
    assert.ok(!samples.has('throwing') && !samples.has('rejecting'))
  })

  it('have buckets that add up', async () => {
    for (let count = 0; count < 5; count++) await service.anonymous.get('/health/live')
    const { samples } = parseMetrics((await service.anonymous.get('/metrics')).text)
    const buckets = [...samples].filter(
      ([name]) => name.startsWith('http_request_duration_seconds_bucket{') && name.includes('"/health/live"'),
    )
    const counts = buckets.map(([, value]) => value)
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    )
    assert.match(buckets.at(-1)?.[0] ?? '', /le="\+Inf"/)
    assert.equal(counts.at(-1), 5)
  })
})

interface Metrics {
  samples: Map<string, number>
  types: Map<string, string>
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/: every line is one of four. */
function parseMetrics(text: string): Metrics {
  assert.ok(text.endsWith('\n'))
  const samples = new Map<string, number>()
  const types = new Map<string, string>()
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, typed, type] =
      /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line) ?? []
    const [, name, value] =
      /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})?) ([-+.\w]+)$/.exec(line) ?? []
    if (typed !== undefined && type !== undefined) types.set(typed, type)
    else if (name !== undefined) samples.set(name, Number(value))
    else assert.match(line, /^# HELP [a-zA-Z_:][\w:]* ./)
    assert.ok(name === undefined || !Number.isNaN(Number(value)) || value === 'Nan', line)
  }
  return { samples, types }
}
