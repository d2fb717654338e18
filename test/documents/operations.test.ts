/** The figures that the dashboard and the guide name are those that the service has. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedService, type TestService } from '../support/service.ts'
import { sourcesIn } from '../support/source.ts'
import { codeSpans, readDocument, tableUnder } from './markdown.ts'

interface Dashboard {
  panels: { id: number; title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[]
}

/** A metric is what has labels in braces; a histogram has the metrics of its buckets. */
function metricsIn(expression: string): string[] {
  return [...expression.matchAll(/(\w+?)(?:_bucket|_count|_sum)?\{/g)].map(([, name = '']) => name)
}

describe('the guide to running it', () => {
  let service: TestService
  let figures: Set<string>
  before(async () => {
    service = await sharedService('sqlite')
    await service.anonymous.get('/api/products')
    const { text } = await service.anonymous.get('/metrics')
    figures = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name))
  })
  after(() => service.stop())

  test('has a dashboard of figures that there are', () => {
    const { panels }: Dashboard = JSON.parse(readDocument('docs/operations/grafana.json'))
    assert.ok(panels.length > 10)
    for (const { title, targets } of panels)
      for (const { expr } of targets) {
        const names = metricsIn(expr)
        assert.ok(names.length > 0, `${title}: ${expr}`)
        for (const name of names) assert.ok(figures.has(name), `${title}: ${name}`)
      }
    const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))))
    const queues = [...figures].filter((name) => /^tenantry_(mails|jobs)/.test(name))
    assert.ok(queues.length >= 5)
    for (const name of queues)
      assert.ok(shown.has(name), `add a panel that shows ${name} to docs/operations/grafana.json`)
  })

  test('has panels that do not overlap, each with a number of its own', () => {
    const { panels }: Dashboard = JSON.parse(readDocument('docs/operations/grafana.json'))
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    assert.equal(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size, panels.length)
  })

  test('tells of figures that there are', () => {
    const named = tableUnder(readDocument('docs/operations/monitoring.md'), 'Metrics').flatMap(
      ([cell = '']) => codeSpans(cell),
    )
    assert.ok(named.length > 8)
    for (const name of named) assert.ok(figures.has(name), name)
  })

  test('quotes messages that the service has', () => {
    const texts = sourcesIn('src').map(({ text }) => text)
    const symptoms = tableUnder(readDocument('docs/operations/troubleshooting.md'), 'Troubleshooting')
    const quoted = symptoms.flatMap(([symptom = '']) => [...symptom.matchAll(/"([^"]+)"/g)])
    // An ellipsis stands for what differs from case to case.
    const parts = quoted.flatMap(([, message = '']) => message.split('…').map((part) => part.trim()))
    assert.ok(parts.length > 5)
    const isThere = (part: string) => texts.some((text) => text.includes(part))
    assert.deepEqual(
      parts.filter((part) => !isThere(part)),
      [],
    )
    assert.ok(!isThere(`The service has no such ${'message'}.`))
  })
})
