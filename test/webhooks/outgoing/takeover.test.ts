/** Two instances on one PostgreSQL: no delivery is made twice while both run, and one takes over from the other. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runsOf, triesAll } from '../../support/run/extent.ts'
import { endureTakeover } from './endurance.ts'

/** That are acknowledged while both run, and before the kill. */
const events = [runsOf(60, 200), runsOf(40, 100)] as const

/** `instances.test.ts` tells the same of an own database, with clocks that end the lease. */
const kinds = [
  ['in the shared database', false] as const,
  ...(triesAll ? [['in a tenant’s own database', true] as const] : []),
]

for (const [kind, own] of kinds) {
  it(`An instance takes over what another was sending when it was killed, within the lease and five seconds: ${kind}`, async () => {
    const { acknowledged, duplicatesOfBoth, duplicates, interrupted } = await endureTakeover(events, own)
    assert.ok(acknowledged >= events[0] + events[1])
    assert.equal(duplicatesOfBoth, 0)
    assert.ok(interrupted > 0, 'the kill came between the deliveries')
    assert.ok(duplicates <= interrupted, `${duplicates} duplicates, ${interrupted} interrupted`)
  })
}
