import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Database, DatabaseUnavailable, type Transaction } from '../../../src/database/executor.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { newDatabase, type OpenedDatabase } from '../../support/database/opened.ts'
import { runStatement } from '../run-statement.ts'

describe('The one writer of a SQLite file', () => {
  let opened: OpenedDatabase
  let database: Database
  before(async () => {
    opened = await newDatabase('sqlite')
    database = opened.open()
    await database.transaction(async (inside) => {
      await runStatement(inside, 'CREATE TABLE note (id integer PRIMARY KEY, text text)')
      await runStatement(
        inside,
        'CREATE TABLE line (note_id integer REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED)',
      )
    })
  })
  beforeEach(() => database.transaction((inside) => runStatement(inside, 'DELETE FROM note')))
  after(() => opened.drop())

  it('puts transactions that wait together into one commit', async () => {
    const pageBytes = 4096
    const log = `${opened.url.slice('sqlite:'.length)}-wal`
    const bytesBefore = statSync(log).size
    await Promise.all(Array.from({ length: 100 }, (_, id) => insert(id)))
    const pages = (statSync(log).size - bytesBefore) / pageBytes
    assert.ok(pages < 20, `${pages} pages were written for 100 rows`)
    assert.equal((await notes()).length, 100)
  })

  it('takes more than fit into one commit', async () => {
    await Promise.all(Array.from({ length: 500 }, (_, id) => insert(id)))
    assert.equal((await notes()).length, 500)
  })

  it('lets others be served between those that take long', async () => {
    const many = 20
    const eachMs = 12
    let turns = 0
    let isOver = false
    const counting = (async () => {
      for (; !isOver; turns++) await setImmediate()
    })()
    const busy = () =>
      database.transaction(async (inside) => {
        const endsMs = performance.now() + eachMs
        while (performance.now() < endsMs) await runStatement(inside, 'SELECT 1')
      })
    turns = 0
    await Promise.all(Array.from({ length: many }, busy))
    isOver = true
    await counting
    assert.ok(turns >= many, `${turns} turns of the event loop for ${many} transactions`)
  })

  it('runs them in the order in which they came', async () => {
    const order: number[] = []
    await Promise.all(
      [1, 2, 3].map((id) =>
        database.transaction(async (inside) => {
          if (id === 1) for (let turn = 0; turn < 3; turn++) await setImmediate()
          await runStatement(inside, `INSERT INTO note (id) VALUES (${id})`)
          order.push(id)
        }),
      ),
    )
    assert.deepEqual(order, [1, 2, 3])
  })

  it('refuses a statement that comes after the end of its transaction', async () => {
    const kept: Transaction[] = []
    await database.transaction(async (inside) => void kept.push(inside))
    const failing = database.transaction(async (inside) => {
      kept.push(inside)
      throw new Error('changed my mind')
    })
    await assert.rejects(failing)
    for (const inside of kept)
      await assert.rejects(runStatement(inside, 'DELETE FROM note'), /after its transaction had ended/)
  })

  it('tells all of a commit that fails, calls no listener, and goes on', async () => {
    let calls = 0
    const sound = database.transaction(async (inside) => {
      inside.afterCommit(() => calls++)
      await runStatement(inside, 'INSERT INTO note (id) VALUES (1)')
    })
    // A deferred rule is judged by the commit alone.
    const breaking = database.transaction((inside) =>
      runStatement(inside, 'INSERT INTO line (note_id) VALUES (99)'),
    )
    const outcomes = await Promise.allSettled([sound, breaking])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(calls, 0)
    assert.deepEqual(await notes(), [])
    await insert(2)
    assert.deepEqual(await notes(), [2])
  })

  it('tells all whom a full disk takes along, leaves nothing of theirs, and goes on', async () => {
    const limit = (pages: string) =>
      database.transaction((inside) => runStatement(inside, `PRAGMA max_page_count = ${pages}`))
    await limit('1')
    const early = insert(1)
    const full = database.transaction((inside) =>
      runStatement(inside, `INSERT INTO note (id, text) VALUES (2, '${'x'.repeat(500_000)}')`),
    )
    const late = insert(3)
    const outcomes = await Promise.allSettled([early, full, late])
    await limit('1000000')
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        assert.ok(outcome.reason instanceof DatabaseUnavailable, String(outcome.reason))
    }
    const kept = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index + 1] : []))
    assert.deepEqual(await notes(), kept)
    assert.equal(outcomes[1]?.status, 'rejected')
    await insert(4)
    assert.deepEqual(await notes(), [...kept, 4])
  })

  it('finishes what has begun when it is closed, and takes nothing more', async () => {
    const other = openSqlite(opened.url.slice('sqlite:'.length))
    const last = other.transaction((inside) => runStatement(inside, 'INSERT INTO note (id) VALUES (5)'))
    const closed = other.close()
    await assert.rejects(
      other.transaction(async () => undefined),
      DatabaseUnavailable,
    )
    await last
    await closed
    assert.deepEqual(await notes(), [5])
  })

  async function insert(id: number): Promise<void> {
    await database.transaction((inside) => runStatement(inside, `INSERT INTO note (id) VALUES (${id})`))
  }

  async function notes(): Promise<number[]> {
    return (await inspect(opened.url, 'SELECT id FROM note ORDER BY id')).map(({ id }) => Number(id))
  }
})
