import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { SessionMonitor } from '../../../../src/api/graphql/transport/session-monitor.ts'
import { soonMs } from '../../../support/eventually.ts'

it('A session whose check waits for a slow database does not keep others from being checked', async () => {
  let quickChecks = 0
  const unanswered = new Promise<boolean>(() => undefined)
  const monitor = new SessionMonitor((_credentials, tenantId) =>
    tenantId === 'slow' ? unanswered : Promise.resolve(quickChecks++ === 0),
  )
  const credentials = { headers: {}, ip: '' }
  const left = Promise.withResolvers<string>()
  const endSlow = monitor.watch({ credentials, tenantId: 'slow', leave: () => left.resolve('slow') })
  monitor.watch({ credentials, tenantId: 'quick', leave: () => left.resolve('quick') })
  assert.equal(await Promise.race([left.promise, delay(soonMs, 'nobody', { ref: true })]), 'quick')
  assert.equal(quickChecks, 2)
  endSlow()
})
