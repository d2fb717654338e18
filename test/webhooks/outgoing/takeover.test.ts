/** Two instances on one PostgreSQL: no delivery is made twice while both run, and one takes over from the other. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endureTakeover } from './endurance.ts'

for (const [kind, own] of [
  ['in the shared database', false],
  ['in a tenant’s own database', true],
] as const) {
  it(`An instance takes over what another was sending when it was killed, within the lease and five seconds: ${kind}`, async () => {
    const { acknowledged, duplicatesOfBoth, duplicates, interrupted } = await endureTakeover(own)
    assert.ok(acknowledged >= 300)
    assert.equal(duplicatesOfBoth, 0)
    assert.ok(interrupted > 0, 'the kill came between the deliveries')
    assert.ok(duplicates <= interrupted, `${duplicates} duplicates, ${interrupted} interrupted`)
  })
}
