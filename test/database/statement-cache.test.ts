import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

  it('follow a table that another process has migrated', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-statements-'))
    const [own, other] = [new DatabaseSync(join(folder, 'a.db')), new DatabaseSync(join(folder, 'a.db'))]
    own.exec('CREATE TABLE t (id INTEGER, is_open BOOLEAN); INSERT INTO t VALUES (1, 1)')
    const kept = new Statements(own)
    for (const text of ['SELECT * FROM t', 'SELECT "t".* FROM t']) {
      const read = () => ({ ...kept.run(text, [], true).rows[0] })
      assert.deepEqual(read(), { id: 1, is_open: true })
      other.exec(
        'CREATE TABLE n (id INTEGER, name TEXT, is_open BOOLEAN); INSERT INTO n SELECT id, 7, is_open FROM t',
      )
      other.exec('DROP TABLE t; ALTER TABLE n RENAME TO t')
      assert.deepEqual(read(), { id: 1, name: '7', is_open: true })
      other.exec('ALTER TABLE t DROP COLUMN name')
    }
    own.close()
    other.close()
    rmSync(folder, { recursive: true })
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
