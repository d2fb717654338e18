import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { receiveDespiteKills } from './endurance.ts'

/** Declares the test with so many kills on each database. */
export function losesNothing(rounds: number): void {
  describe('No receipt is lost, and nothing happens twice', { concurrency: 2 }, () => {
    onEitherDatabase('by kill -9', (database) => {
      it(`${rounds} times under load`, async () => {
        const { acknowledged, unanswered } = await receiveDespiteKills(database, rounds)
        assert.ok(acknowledged >= rounds * 5)
        assert.ok(unanswered > 0, 'no kill came in between')
      })
    })
  })
}
