/** How many databases are visited at a time, and what happens to slow ones. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { KeyedSemaphore } from '../../../src/core/limits/keyed-semaphore.ts'
import { TenantSweep } from '../../../src/core/queue/own-databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'

const never = new Promise<void>(() => undefined)
const rethrow = (error: unknown): void => {
  throw error
}
const names = (count: number) => Array.from({ length: count }, (_, index) => `tenant-${index}`)

describe('A round', () => {
  it('visits eight databases at once, and no more', async () => {
    let atOnce = 0
    let most = 0
    const visited = new Set<string>()
    const visit = async (id: string) => {
      most = Math.max(most, ++atOnce)
      await delay(10)
      atOnce--
      visited.add(id)
    }
    await new TenantSweep(async () => names(40), visit, rethrow).run()
    assert.equal(visited.size, 40)
    assert.equal(most, 8)
  })

  it('comes to an end though some of them never answer', async () => {
    const visited: string[] = []
    const all = [...names(20), 'healthy']
    const visit = async (id: string) => {
      visited.push(id)
      if (id !== 'healthy') await never
    }
    await new TenantSweep(async () => all, visit, rethrow).run()
    assert.deepEqual(visited, all)
  })

  it('that is wanted while one is under way follows it, once', async () => {
    let rounds = 0
    let atOnce = 0
    const marked = async () => {
      assert.equal(++atOnce, 1)
      rounds++
      await delay(10)
      return ['tenant']
    }
    const visit = async () => {
      await delay(10)
      atOnce--
    }
    const all = new TenantSweep(marked, visit, rethrow)
    await Promise.all([all.run(), all.run(), all.run()])
    assert.equal(rounds, 2)
    await all.run()
    assert.equal(rounds, 3)
  })

  it('goes on when a visit fails, and when the marks cannot be read', async () => {
    const failures: unknown[] = []
    const visited: string[] = []
    let marks: string[] | null = null
    const marked = async () => marks ?? assert.fail('no marks')
    const visit = async (id: string) => {
      visited.push(id)
      if (id === 'bad') throw new Error('bad')
    }
    const rounds = new TenantSweep(marked, visit, (error) => failures.push(error))
    await rounds.run()
    marks = ['bad', 'good']
    await rounds.run()
    assert.deepEqual([visited, failures.length], [['bad', 'good'], 2])
  })

  it('visits a database once more that was called for during its visit', async () => {
    let finish = (): void => undefined
    let visits = 0
    const visit = async () => {
      if (++visits === 1) {
        await new Promise<void>((resolve) => {
          finish = resolve
        })
      }
    }
    const rounds = new TenantSweep(async () => [], visit, rethrow)
    const first = rounds.visit('tenant')
    await rounds.visit('tenant')
    assert.equal(visits, 1)
    finish()
    await first
    assert.equal(visits, 2)
  })
})

describe('KeyedSemaphore', () => {
  it('are given in the order in which they came, and last to those behind', async () => {
    const semaphore = new KeyedSemaphore(1, 60_000)
    const served: string[] = []
    const run = (key: string, isLast = false) => semaphore.run(key, async () => void served.push(key), isLast)
    await Promise.all([run('first'), run('failed', true), run('second'), run('third')])
    assert.deepEqual(served, ['first', 'second', 'third', 'failed'])
  })

  it('let nobody in twice, with a place or without one', async () => {
    const semaphore = new KeyedSemaphore(1, 1)
    let works = 0
    const work = async () => {
      works++
      await never
    }
    await semaphore.run('silent', work)
    await semaphore.run('silent', work)
    assert.equal(works, 1)
    assert.ok(semaphore.has('silent'))
  })

  it('are settled when the last one has worked, though it lost its place', async () => {
    const semaphore = new KeyedSemaphore(1, 1)
    let isDone = false
    await semaphore.run('slow', async () => {
      await delay(50)
      isDone = true
    })
    assert.equal(isDone, false)
    await semaphore.settled()
    assert.equal(isDone, true)
  })

  it('send away those that wait, and not those at work', async () => {
    const semaphore = new KeyedSemaphore(1, 60_000)
    let end = (): void => undefined
    const served: string[] = []
    const first = semaphore.run('first', () => new Promise((resolve) => (end = resolve)))
    const second = semaphore.run('second', async () => void served.push('second'))
    semaphore.clear()
    await second
    end()
    await first
    await eventually('its end', soonMs, async () => !semaphore.has('first'))
    assert.deepEqual(served, [])
  })
})
