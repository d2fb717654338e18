/** The worst attacks for a moment each; `npm run siege` makes all of them for longer, and measures how long others wait. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { Siege } from './siege.ts'

const attackMs = 1000
const maxMb = 512

const attacks = [
  'graphql-aliases-4x4',
  'large-row-mutation',
  'roles-array',
  'unread-lists',
  'order-followers',
  'logins',
  'many-rules',
]
/** The others meet the same code on either database. */
const ofDatabases = ['large-row-mutation', 'unread-lists', 'order-followers', 'many-rules']

onEachDatabase('A service under attack', (database) => {
  const siege = new Siege(database)
  before(() => siege.prepare())
  after(() => siege[Symbol.asyncDispose]())

  for (const attack of database === 'sqlite' ? attacks : ofDatabases) {
    it(`lives, and serves others: ${attack}`, async () => {
      const { counts, reads, writes, faults, peakMb, died } = await siege.endure(attack, attackMs)
      const { sent = 0, opened = 0 } = counts
      assert.ok(sent + opened > 0, 'there was an attack')
      assert.equal(died, false)
      assert.equal(counts[500], undefined)
      assert.deepEqual(faults, {})
      assert.ok(reads.length > 10 && writes.length > 2, `${reads.length} reads, ${writes.length} writes`)
      assert.ok(peakMb <= maxMb, `${peakMb} MB`)
    })
  }
})
