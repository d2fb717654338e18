import assert from 'node:assert/strict'
import { it, suite } from 'node:test'
import { PeriodicCheck } from '../../src/core/periodic-check.ts'
import { eventually, soonMs } from '../support/eventually.ts'

class Counted {
  count = 0
  check(): void {
    this.count++
  }
}

suite('Checks of open connections', () => {
  it('look at each again and again until it has ended, with one timer', async () => {
    const checks = new PeriodicCheck(1)
    const [one, other] = [new Counted(), new Counted()]
    const timers = timerCount()
    const endOne = checks.watch(one)
    const endOther = checks.watch(other)
    assert.equal(timerCount(), timers) // it keeps no process alive
    await eventually('both are checked', soonMs, async () => one.count > 1 && other.count > 1)
    endOne()
    const before = one.count
    const seen = other.count
    await eventually('the other goes on', soonMs, async () => other.count > seen + 1)
    assert.equal(one.count, before)
    endOther()
  })

  it('end with the last, and begin again', async () => {
    const checks = new PeriodicCheck(1)
    const counted = new Counted()
    checks.watch(counted)()
    const end = checks.watch(counted)
    await eventually('it is checked', soonMs, async () => counted.count > 0)
    end()
    end()
  })
})

function timerCount(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}
