/** Definitions that change at random, over and over, with rows in their tables. */

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { onEachDatabase } from '../../support/databases.ts'
import { runSeed, runsOf } from '../../support/run/extent.ts'
import { catalogOf } from './catalog.ts'
import { History } from './history.ts'
import { EmptyDatabases, Project } from './project.ts'

const runs = { sqlite: runsOf(20, 60), postgres: runsOf(8, 30) }
const maxVersions = 5
const maxEdits = 10

const number = fc.nat({ max: 9999 })
const edit = fc.record({ kind: number, table: number, column: number, detail: number })
const versions = fc.array(fc.array(edit, { minLength: 1, maxLength: maxEdits }), {
  minLength: 2,
  maxLength: maxVersions,
})

onEachDatabase('Definitions that change at random', (name) => {
  let databases: EmptyDatabases
  before(async () => {
    databases = await EmptyDatabases.on(name)
  })
  after(() => databases.close())

  it('give the tables that a fresh creation gives, and lose nothing that was not dropped by name', async () => {
    await fc.assert(
      fc.asyncProperty(versions, async (edits) => {
        using project = new Project()
        const database = await databases.next()
        const history = new History()
        for (const some of edits) {
          const decisions = history.change(some)
          project.write(history.tables, decisions)
          await project.apply(database)
          await history.addRows(database)
        }
        await history.requireRows(database)
        const names = history.tables.map((table) => table.name)
        const changed = await catalogOf(database, names)
        using again = new Project()
        const fresh = await databases.next()
        again.write(history.tables)
        await again.apply(fresh)
        assert.deepEqual(changed, await catalogOf(fresh, names))
      }),
      { numRuns: runs[name], seed: runSeed },
    )
  })
})
