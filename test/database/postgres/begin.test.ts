import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { ConstraintViolation, type Database } from '../../../src/database/executor.ts'
import { openPostgres } from '../../../src/database/postgres/postgres-database.ts'
import { type Cells, inspect } from '../../support/database/inspect.ts'
import { createPostgresDatabase } from '../../support/databases.ts'

const insert = 'INSERT INTO thing (id) VALUES ($1) RETURNING id'

describe('A transaction that begins with its first statement', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  let database: Database
  before(async () => {
    postgres = await createPostgresDatabase()
    await inspect(postgres.url, 'CREATE TABLE thing (id integer PRIMARY KEY)')
  })
  beforeEach(() => {
    database = openPostgres(postgres.url, {
      maxConnections: 1,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 30_000,
    })
  })
  afterEach(async () => {
    await database.close()
    await inspect(postgres.url, 'DELETE FROM thing')
  })
  after(() => postgres.drop())

  for (const reusable of [true, false]) {
    const kind = reusable ? 'prepared' : 'other'
    it(`gives back the rows of that statement, when it is a ${kind} one, and undoes it`, async () => {
      const undone = database.transaction(async (inside) => {
        assert.deepEqual(await inside.run(insert, [1], reusable), { rows: [{ id: 1 }], affected: 1 })
        throw new Error('not that')
      })
      await assert.rejects(undone, /not that/)
      assert.deepEqual(await ids(), [])
      await database.transaction((inside) => inside.run('INSERT INTO thing (id) VALUES (2)', [], reusable))
      assert.deepEqual(await ids(), [{ id: 2 }])
    })
  }

  it('is nothing when that statement fails, and the connection is used again', async () => {
    await database.transaction((inside) => inside.run(insert, [1], true))
    const pid = await backend()
    const again = database.transaction((inside) => inside.run(insert, [1], true))
    await assert.rejects(again, ConstraintViolation)
    await assert.rejects(
      database.transaction((inside) => inside.run('SELECT nothing', [], true)),
      /"nothing" does not exist/,
    )
    assert.equal(await backend(), pid)
    await database.transaction((inside) => inside.run(insert, [2], true))
    assert.deepEqual(await ids(), [{ id: 1 }, { id: 2 }])
  })

  it('does not run that statement when it cannot begin', async () => {
    await database.executor.run('DEALLOCATE begin', [], false)
    await assert.rejects(
      database.transaction((inside) => inside.run(insert, [1], true)),
      ({ cause }: Error) => /"begin" does not exist/.test(String(cause)),
    )
    assert.deepEqual(await ids(), [])
    await database.transaction((inside) => inside.run(insert, [1], true)) // on another connection
    assert.deepEqual(await ids(), [{ id: 1 }])
  })

  it('ends without one when it has none', async () => {
    assert.equal(await database.transaction(async () => 'done'), 'done')
    await assert.rejects(
      database.transaction(async () => {
        throw new Error('not that')
      }),
      /not that/,
    )
  })

  function ids(): Promise<Cells[]> {
    return inspect(postgres.url, 'SELECT id FROM thing ORDER BY id')
  }

  async function backend(): Promise<unknown> {
    return (await database.executor.run('SELECT pg_backend_pid() AS pid', [], false)).rows[0]?.['pid']
  }
})
