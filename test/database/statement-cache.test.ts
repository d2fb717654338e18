import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../../src/database/executor.ts'
import { Statements } from '../../src/database/sqlite/statements.ts'
import { newDatabase, type OpenedDatabase } from '../support/database/opened.ts'

/** How many a connection to SQLite keeps. */
const capacity = 400

class Counting extends DatabaseSync {
  preparations = 0

  override prepare(...given: Parameters<DatabaseSync['prepare']>) {
    this.preparations++
    return super.prepare(...given)
  }
}

describe('Prepared statements on SQLite', () => {
  const connection = new Counting(':memory:')
  const statements = new Statements(connection)
  after(() => connection.close())

  it('are kept by their text', () => {
    statements.run('SELECT 0', [], true)
    assert.equal(
      preparationsOf(() => statements.run('SELECT 0', [], true)),
      0,
    )
  })

  it('are not kept when their text will not come again', () => {
    statements.run('SELECT -1', [], false)
    assert.equal(
      preparationsOf(() => statements.run('SELECT -1', [], false)),
      1,
    )
  })

  it('are kept within a bound: the oldest goes', () => {
    for (let number = 1; number <= capacity; number++) statements.run(`SELECT ${number}`, [], true)
    assert.equal(
      preparationsOf(() => statements.run(`SELECT ${capacity}`, [], true)),
      0,
    )
    assert.equal(
      preparationsOf(() => statements.run('SELECT 0', [], true)),
      1,
    )
  })

  function preparationsOf(work: () => unknown): number {
    const earlier = connection.preparations
    work()
    return connection.preparations - earlier
  }
})

describe('Prepared statements on PostgreSQL', () => {
  let opened: OpenedDatabase
  let database: Database
  before(async () => {
    opened = await newDatabase('postgres')
    database = opened.open()
  })
  after(() => opened.drop())

  it('are kept under one name for one text, and only where the text comes again', async () => {
    await database.transaction(async (inside) => {
      for (let number = 0; number < 50; number++) {
        await inside.run('SELECT $1::int', [number], true)
        await inside.run(`SELECT ${number}`, [], false)
      }
      const { rows } = await inside.run('SELECT statement FROM pg_prepared_statements ORDER BY 1', [], false)
      assert.deepEqual(rows, [{ statement: 'BEGIN' }, { statement: 'SELECT $1::int' }])
    })
  })
})
