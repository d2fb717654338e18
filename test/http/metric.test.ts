import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Metric } from '../../src/metric.ts'
import { startService } from '../harness/service.ts'

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
