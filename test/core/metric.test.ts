import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Metric } from '../../src/core/metric.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { startService } from '../support/service.ts'

const metric = (name: string, read: Metric['read']): Metric => ({ name, help: name, kind: 'gauge', read })

it('A figure of a feature that cannot be read, or has no value, is left out: it is not 0', async () => {
  const metrics = [
    metric('sound', () => [{ value: 7 }]),
    metric('broken', () => Promise.reject(new Error('not now'))),
    metric('empty', () => []),
    metric('zero', () => [{ value: 0 }]),
  ]
  const service = await startService('sqlite', {}, { features: [{ name: 'gauge', metrics }] })
  try {
    const { text } = await service.anonymous.get('/metrics')
    const lines = text.split('\n').filter((line) => /^(sound|broken|empty|zero)\b/.test(line))
    assert.deepEqual(lines, ['sound 7', 'zero 0'])
  } finally {
    await service.stop()
  }
})

it('The figures are rendered once for all who ask within a second, also at once', async () => {
  let renderings = 0
  const metrics = [metric('renderings', () => [{ value: ++renderings }])]
  const features = [{ name: 'gauge', metrics }]
  const service = await startService('sqlite', {}, { features, metricsMaxAgeMs: 3_600_000 })
  try {
    const ask = async () => (await service.anonymous.get('/metrics')).text
    const texts = await Promise.all(Array.from({ length: 20 }, ask))
    texts.push(await ask())
    assert.equal(renderings, 1)
    assert.equal(new Set(texts).size, 1)
  } finally {
    await service.stop()
  }
})

it('The figures are rendered again when their text is as old as it may be', async () => {
  const service = await startService('sqlite', {}, { metricsMaxAgeMs: 100 })
  try {
    const asked = async () => {
      const { text } = await service.anonymous.get('/metrics')
      return Number(/_count\{method="GET",route="\/healthz",status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    }
    assert.equal(await asked(), 0)
    await service.anonymous.get('/healthz')
    await eventually('the request in the figures', soonMs, async () => (await asked()) === 1)
  } finally {
    await service.stop()
  }
})
