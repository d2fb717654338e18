/** Schedules: a job for each active tenant, or one for the installation, once for each occurrence. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { type Schedule, schedule } from '../../src/core/feature/schedule.ts'
import { forEachTenant, forTenant } from '../../src/core/tenant/each-tenant.ts'
import { placesOf, windowMsOf } from '../../src/jobs/schedule/jitter.ts'
import { StillClock } from '../support/clock.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { startInstance, startOther } from '../support/instance.ts'
import { startService, type TestService } from '../support/service.ts'
import { runInterval } from './work-feature.ts'

onEachDatabase('A schedule', (database) => {
  const clock = new StillClock()
  const ran: string[] = []
  const reached: string[] = []
  const features = [
    {
      name: 'timed',
      schedules: [
        schedule('daily', {
          cron: '0 7 * * *',
          spreadSeconds: 0,
          run: async ({ tenant }) => void ran.push(tenant.id),
        }),
        schedule('cleaning', {
          cron: '0 7 * * *',
          for: 'installation',
          run: (operator) => forEachTenant(operator, async ({ tenant }) => void reached.push(tenant.id)),
        }),
      ],
    },
  ]
  let service: TestService
  let active: string[]
  before(async () => {
    service = await startService(database, {}, { clock: clock.now, features })
    const [one, own, inactive] = [
      await service.newTenant(),
      await service.newTenant({ connectionString: 'sqlite:own.db' }),
      await service.newTenant(),
    ]
    assert.equal((await service.host.delete(`/api/tenants/${inactive.id}`)).status, 204)
    const isReady = async () => (await own.user.get('/api/products')).status === 200
    await eventually('the database', soonMs, isReady)
    active = ['default', one.id, own.id].toSorted()
    await runInterval(service, 'schedules') // sees the schedules for the first time
  })
  after(() => service.stop())

  const turn = async (): Promise<string[]> => {
    ran.length = 0
    reached.length = 0
    await runInterval(service, 'schedules')
    await runInterval(service, 'due jobs')
    await service.service.queueWorkers.drain()
    return ran.toSorted()
  }

  it('begins with the next occurrence', async () => {
    assert.deepEqual(await turn(), [])
    clock.advance({ seconds: 7 * 3600 - 1 })
    assert.deepEqual(await turn(), [])
  })

  it('runs for each active tenant once, and for the installation once', async () => {
    clock.advance({ seconds: 1 })
    assert.deepEqual(await turn(), active)
    assert.deepEqual(reached.toSorted(), active)
    assert.deepEqual(await turn(), [])
  })

  it('runs once on every instance together, after any number of missed occurrences', async () => {
    const other = await startOther(service, { clock: clock.now, features })
    clock.advance({ days: 3 })
    ran.length = 0
    await Promise.all([service, other].map((each) => runInterval(each, 'schedules')))
    await Promise.all([service, other].map((each) => runInterval(each, 'due jobs')))
    for (const each of [service, other]) await each.service.queueWorkers.drain()
    assert.deepEqual(ran.toSorted(), active)
    if (other.service !== service.service) await other.stop()
  })

  it('keeps the operator away from no tenant, and others from all', async () => {
    const operator = await service.service.operator()
    const [, id = ''] = active
    assert.equal(await forTenant(operator, id, async ({ tenant }) => tenant.id), id)
    await assert.rejects(
      forTenant(operator, 'nobody', async () => undefined),
      /no such tenant/,
    )
    await forTenant(operator, id, (context) =>
      assert.rejects(
        forEachTenant(context, async () => undefined),
        /Only the operator/,
      ),
    )
    const work = forEachTenant(operator, async ({ tenant }) => {
      reached.push(tenant.id)
      if (tenant.id === id) throw new Error('one')
    })
    reached.length = 0
    await assert.rejects(work, /failed for 1 tenants/)
    assert.deepEqual(reached.toSorted(), active)
  })
})

onEachDatabase('A schedule whose expression is changed', (database) => {
  it('begins with the next occurrence, and makes up for missed ones of the same expression', async () => {
    const clock = new StillClock()
    const ran: string[] = []
    const daily = (cron: string) => ({
      name: 'timed',
      schedules: [
        schedule('report', {
          cron,
          for: 'installation',
          run: async () => void ran.push(clock.now().toISOString().slice(11, 16)),
        }),
      ],
    })
    const service = await startService(database, {}, { clock: clock.now, features: [daily('0 3 * * *')] })
    const turn = async (each: Pick<TestService, 'service'>) => {
      await runInterval(each, 'schedules')
      await each.service.queueWorkers.drain()
    }
    const advanceTo = (hours: number) => {
      const midnight = new Date(clock.now())
      midnight.setUTCHours(24, 0, 0, 0)
      clock.advance({ ms: midnight.getTime() + hours * 3_600_000 - clock.now().getTime() })
    }
    await turn(service)
    advanceTo(3)
    await turn(service)
    assert.deepEqual(ran.splice(0), ['03:00'])
    clock.advance({ seconds: 7 * 3600 })
    await service.service.stop()
    const deployed = await startInstance(service, { clock: clock.now, features: [daily('30 9 * * *')] })
    await turn(deployed)
    assert.deepEqual(ran, [])
    advanceTo(10)
    await turn(deployed)
    assert.deepEqual(ran, ['10:00'])
    await deployed.stop()
    await service.stop()
  })
})

describe('The places of tenants in an occurrence', () => {
  const hourly = schedule('hourly', { cron: '0 * * * *', run: async () => undefined })

  it('are within the window, and the same each time', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,20}$/)),
        fc.nat(86_400_000),
        (tenants, windowMs) => {
          const places = placesOf('any', tenants, windowMs)
          assert.ok(places.every(({ delayMs }) => delayMs >= 0 && delayMs <= windowMs))
          assert.deepEqual(placesOf('any', tenants.toReversed(), windowMs), places)
          assert.ok(places.every((place, at) => at === 0 || place.delayMs >= (places[at - 1]?.delayMs ?? 0)))
          assert.equal(new Set(places.map(({ position }) => position)).size, tenants.length)
        },
      ),
    )
  })

  it('leave no second of ten minutes with a spike of 10 000 tenants', () => {
    const tenants = Array.from({ length: 10_000 }, (_, index) => `tenant-${index}`)
    const perSecond = Array<number>(600).fill(0)
    for (const { delayMs } of placesOf('daily', tenants, 600_000)) {
      const second = Math.floor(delayMs / 1000)
      perSecond[second] = (perSecond[second] ?? 0) + 1
    }
    assert.ok(Math.max(...perSecond) <= 40, `${Math.max(...perSecond)} in one second, 17 on average`)
  })

  it('end before the next occurrence', () => {
    const everyMinute: Schedule = schedule('m', { cron: '* * * * *', run: async () => undefined })
    const at = new Date('2027-01-01T00:00:30.000Z')
    assert.equal(windowMsOf(everyMinute, at), 15_000)
    assert.equal(windowMsOf(hourly, at), 600_000)
  })
})

describe('A cron expression', () => {
  const run = async (): Promise<void> => undefined
  const next = (cron: string, timeZone: string, from: string) =>
    schedule('s', { cron, timeZone, run }).next(new Date(from)).toISOString()

  it('is read in its time zone, over the changes of its clocks', () => {
    assert.equal(next('0 7 * * *', 'Europe/Berlin', '2026-01-01T00:00:00Z'), '2026-01-01T06:00:00.000Z')
    assert.equal(next('0 7 * * *', 'Europe/Berlin', '2026-07-01T00:00:00Z'), '2026-07-01T05:00:00.000Z')
    // Half past two does not exist on that day.
    assert.equal(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00.000Z')
  })

  it('has a latest occurrence, which may be the moment itself', () => {
    const daily = schedule('s', { cron: '0 7 * * *', run })
    const latest = (text: string) => daily.latest(new Date(text))?.toISOString()
    assert.equal(latest('2026-01-02T07:00:00.000Z'), '2026-01-02T07:00:00.000Z')
    assert.equal(latest('2026-01-02T06:59:59.999Z'), '2026-01-01T07:00:00.000Z')
  })

  it('is refused if it is not valid, or never occurs', () => {
    for (const cron of ['', '* * * *', '* * * * * *', '61 * * * *', 'soon', '0 0 31 2 *'])
      assert.throws(() => schedule('s', { cron, run }), /The cron expression of the schedule s is not valid/)
    assert.throws(() => schedule('s', { cron: '0 7 * * *', timeZone: 'Mars/Olympus', run }), /not valid/)
    assert.throws(() => schedule('s', { cron: '0 7 * * *', spreadSeconds: -1, run }), /spreadSeconds/)
  })
})
