import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { runInterval } from '../jobs/work-feature.ts'
import { StillClock } from '../support/clock.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'

interface Span {
  at: string
  requests: number
  p99Ms: number | null
  waiting: object | null
}

onEitherDatabase('The figures of the last hours', (database) => {
  const clock = new StillClock()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  /** The token of the start expires by the clock. */
  const host = async () => (await service.signIn('admin')).client
  const keep = () => runInterval(service, 'keep figures')
  const read = async (range: string): Promise<{ from: string; spans: (Span | null)[] }> =>
    (await (await host()).get(`/api/figures/history?range=${range}`)).body
  const known = (spans: readonly (Span | null)[]) => spans.filter((span) => span !== null)

  it('are kept by minute while the service runs, and summed up over longer spans', async () => {
    const { body: nothing } = await service.host.get('/api/figures/history')
    assert.deepEqual([nothing.aliveInstances, nothing.spanSeconds, nothing.spans.length], [1, 60, 60])
    assert.deepEqual(known(nothing.spans), [])
    await keep()
    assert.deepEqual(known((await read('1h')).spans), [], 'the first minute has not ended')
    for (let count = 0; count < 3; count++) await service.anonymous.get('/health/live')
    clock.advance({ seconds: 60 })
    await keep()
    await keep()
    await service.anonymous.get('/health/live')
    clock.advance({ seconds: 60 })
    await keep()
    const { from, spans } = await read('1h')
    assert.equal(from, '2026-12-31T23:02:00.000Z')
    const [first, second] = known(spans)
    assert.deepEqual(spans.slice(-2), [first, second])
    assert.equal(first?.at, '2027-01-01T00:00:00.000Z')
    assert.ok((first?.requests ?? 0) >= 5)
    assert.ok((first?.p99Ms ?? 0) > 0)
    assert.deepEqual(first?.waiting, { deliveries: 0, jobs: 0, mails: 0 })
    const day = await read('24h')
    assert.equal(day.spans.length, 96)
    assert.deepEqual(
      known(day.spans).map(({ at }) => at),
      ['2027-01-01T00:00:00.000Z'],
    )
    assert.equal(known(day.spans)[0]?.requests, (first?.requests ?? 0) + (second?.requests ?? 0))
  })

  it('have a gap where the instance was silent, and are forgotten after a day', async () => {
    clock.advance({ seconds: 7200 })
    await keep()
    const six = known((await read('6h')).spans)
    assert.deepEqual(
      six.map(({ at }) => at.slice(11, 16)),
      ['00:00', '02:00'],
    )
    clock.advance({ days: 1 })
    await keep()
    assert.equal(known((await read('24h')).spans).length, 1)
  })

  it('are for the host alone, in ranges that exist', async () => {
    const { client } = await service.signIn('boss', tenant.id)
    const refused = await client.get('/api/figures/history')
    assertError(refused, 403, 'This requires the permission operation:read.')
    assert.equal((await (await host()).get('/api/figures/history?range=7d')).status, 400)
  })
})
