/** What signing in takes of the database: round trips on PostgreSQL, and no statement that is built anew. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { before, it } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import type { Work } from './sign-in-process.ts'
import { type SignIn, usualTrips } from './sign-in-trips.ts'

onEachDatabase('Signing in', (database) => {
  let work: Record<SignIn, Work>
  before(async () => {
    const child = fork(new URL('sign-in-process.ts', import.meta.url), [database])
    const ended = once(child, 'exit')
    const [found] = await Promise.race([once(child, 'message'), ended])
    await ended
    assert.equal(typeof found, 'object', 'the process that counts has ended')
    work = found
  })

  for (const [name, usual] of Object.entries(usualTrips) as [SignIn, number][]) {
    it(`builds no statement: ${name}`, () => {
      assert.equal(work[name].built, 0)
    })

    if (database === 'postgres')
      it(`takes few round trips: ${name}`, () => {
        assert.ok(work[name].trips > 0)
        assert.ok(work[name].trips <= usual, `${work[name].trips}, usually ${usual}`)
      })
  }
})
