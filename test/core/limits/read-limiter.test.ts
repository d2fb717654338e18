/** How many GraphQL operations read at a time: each holds in memory what it has read so far. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import type { Feature } from '../../../src/core/feature/feature.ts'
import { ReadLimiter } from '../../../src/core/limits/read-limiter.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService } from '../../support/service.ts'

const max = 32
const ofOneTenant = 20

describe('Operations that are read at once', () => {
  const waiting: (() => void)[] = []
  let reading = 0
  let service: TestService
  before(async () => {
    const hanging: Feature = {
      name: 'hanging',
      graphql: {
        queries: {
          hanging: {
            kind: 'object',
            access: 'public',
            description: 'It waits.',
            type: Type.Object({ name: Type.String() }, { $id: 'Hanging' }),
            read: async () => {
              reading++
              await new Promise<void>((resolve) => waiting.push(resolve))
              return { name: 'x' }
            },
          },
        },
      },
    }
    service = await startService('sqlite', {}, { features: [hanging] })
  })
  after(() => service.stop())

  const ask = async (id: string, index: number): Promise<unknown> => {
    const headers = { 'x-tenant-id': id, 'x-forwarded-for': `192.0.2.${index}` }
    return (await service.anonymous.post('/graphql', { query: '{ hanging { name } }' }, headers)).body
  }

  /** Lets all go on. */
  async function areAnswered(asked: readonly Promise<unknown>[]): Promise<void> {
    let isOver = false
    const all = Promise.all(asked).finally(() => {
      isOver = true
    })
    while (!isOver) {
      for (const goOn of waiting.splice(0)) goOn()
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (const body of await all) assert.deepEqual(body, { data: { hanging: { name: 'x' } } })
  }

  it('are so many at most, of one tenant a quarter of them, and the others wait', async () => {
    const tenants = [await service.newTenant(), await service.newTenant(), await service.newTenant()]
    const asked = tenants.flatMap(({ id }) =>
      Array.from({ length: ofOneTenant }, (_each, index) => ask(id, index)),
    )
    await eventually('three tenants have a quarter each', soonMs, async () => reading === (3 * max) / 4)
    const last = ask((await service.newTenant()).id, ofOneTenant)
    await eventually('there is room for another', soonMs, async () => reading === (3 * max) / 4 + 1)
    await areAnswered([...asked, last])
    assert.equal(reading, 3 * ofOneTenant + 1)
  })

  it('are a quarter of one network, however many tenants it names', async () => {
    reading = 0
    const tenants = await Promise.all(Array.from({ length: 3 }, () => service.newTenant()))
    const asked = tenants.flatMap(({ id }) => Array.from({ length: 5 }, () => ask(id, 0)))
    await eventually('the network has a quarter', soonMs, async () => reading === max / 4)
    const others = tenants.map(({ id }, index) => ask(id, 1 + index))
    await eventually('others have theirs', soonMs, async () => reading === max / 4 + others.length)
    await areAnswered([...asked, ...others])
    assert.equal(reading, asked.length + others.length)
  })

  it('leave turns to other requests while many that wait are refused at once', async () => {
    const limiter = new ReadLimiter(max)
    const context = await service.service.operator()
    let turns = 0
    const perTurn: number[] = []
    const count = () => {
      turns++
      perTurn[turns] = 0
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const hasRun = Array.from({ length: 20 * max }, () =>
      limiter.run(context, async () => {
        perTurn[turns] = (perTurn[turns] ?? 0) + 1
      }),
    )
    await Promise.all(hasRun)
    clearImmediate(next)
    assert.equal(
      perTurn.reduce((sum, each) => sum + each, 0),
      20 * max,
    )
    assert.ok(Math.max(...perTurn) <= max, `${Math.max(...perTurn)} in one turn`)
  })
})
