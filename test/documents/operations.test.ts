/** The figures that the dashboard and the guide name are those that the service has. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type TestService } from '../support/service.ts'
import { sourcesIn } from '../support/source.ts'
import { codeSpans, readDocument, tableUnder } from './markdown.ts'

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

describe('the guide to running it', () => {
  let service: TestService
  let figures: Set<string>
  before(async () => {
    service = await startService('sqlite')
    await service.anonymous.get('/api/products')
    const { text } = await service.anonymous.get('/metrics')
    figures = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name))
  })
  after(() => service.stop())

  test('has a dashboard of figures that there are', () => {
    const { panels }: Dashboard = JSON.parse(readDocument('docs/operations/grafana.json'))
    assert.ok(panels.length > 10)
    for (const { title, targets } of panels) {
      for (const { expr } of targets) {
        const [name = ''] =
          /[a-z]\w*_(?:seconds|total|depth|events|letters|flight|subscribers|bytes)/.exec(expr) ?? []
        assert.ok(figures.has(name), `${title}: ${name}`)
      }
    }
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
