/** The tenant scope, tested by its rows: no statement of one tenant reaches rows of another. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Kysely } from 'kysely'
import { dialectFor } from '../../src/database/dialect.ts'
import type { Database, Transaction } from '../../src/database/executor.ts'
import { openSqlite } from '../../src/database/sqlite/sqlite-database.ts'
import { type Library, libraryOf } from './library.ts'

const schema = [
  'CREATE TABLE folder (tenant_id TEXT, id TEXT, name TEXT, PRIMARY KEY (tenant_id, id))',
  `CREATE TABLE note (tenant_id TEXT, id TEXT, folder_id TEXT, title TEXT, stars INTEGER,
    PRIMARY KEY (tenant_id, id))`,
]

describe('the rows of another tenant', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tenantry-scope-'))
  let database: Database

  before(async () => {
    database = openSqlite(join(directory, 'library.db'))
    await database.transaction(async (transaction) => {
      for (const statement of schema) await transaction.run(statement, [], false)
    })
  })

  after(async () => {
    await database.close()
    rmSync(directory, { recursive: true })
  })

  beforeEach(() =>
    database.transaction(async (transaction) => {
      for (const tenant of ['acme', 'other']) {
        const library = libraryOf(tenant, dialectFor(transaction))
        await library.deleteFrom('note').execute()
        await library.deleteFrom('folder').execute()
        await library
          .insertInto('folder')
          .values({ id: 'f', name: `${tenant}'s` })
          .execute()
        const notes = [
          { id: '1', folder_id: 'f', title: `${tenant} one`, stars: 1 },
          { id: '2', folder_id: null, title: `${tenant} two`, stars: 2 },
        ]
        await library.insertInto('note').values(notes).execute()
      }
    }),
  )

  test('are there', async () => {
    assert.deepEqual(await titles(libraryOf('other', dialectFor(database.executor))), [
      'other one',
      'other two',
    ])
  })

  test('are not seen by a condition that all rows meet', async () => {
    const library = libraryOf('acme', dialectFor(database.executor))
    const found = await library
      .selectFrom('note')
      .select('title')
      .where((eb) => eb.or([eb('stars', '>', 0), eb('id', '!=', '')]))
      .orderBy('id')
      .execute()
    assert.deepEqual(
      found.map(({ title }) => title),
      ['acme one', 'acme two'],
    )
  })

  test('are not joined, though their keys are the same', async () => {
    const library = libraryOf('acme', dialectFor(database.executor))
    const found = await library
      .selectFrom('note')
      .leftJoin('folder', 'folder.id', 'note.folder_id')
      .select(['title', 'folder.name'])
      .orderBy('note.id')
      .execute()
    assert.deepEqual(
      found.map(({ title, name }) => `${title} in ${name}`),
      ["acme one in acme's", 'acme two in null'],
    )
  })

  test('are not counted in a subquery', async () => {
    const { count } = await libraryOf('acme', dialectFor(database.executor))
      .selectFrom('folder')
      .select((eb) => eb.selectFrom('note').select(eb.fn.countAll<number>().as('notes')).as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(count, 2)
  })

  test('are not read after a WITH of the name of their table', async () => {
    const library = libraryOf('acme', dialectFor(database.executor))
    await library
      .with('note', (query) => query.selectFrom('folder').select('name as title'))
      .selectFrom('note')
      .select('title')
      .execute()
    assert.deepEqual(await titles(library), ['acme one', 'acme two'])
  })

  test('are not updated', async () => {
    const result = await inTransaction((library) =>
      library.updateTable('note').set({ title: 'new' }).executeTakeFirst(),
    )
    assert.equal(result.numUpdatedRows, 2n)
    await assertOthersUntouched()
  })

  test('are not deleted', async () => {
    const result = await inTransaction((library) => library.deleteFrom('note').executeTakeFirst())
    assert.equal(result.numDeletedRows, 2n)
    await assertOthersUntouched()
  })

  test('are not overwritten by an insert with their key', async () => {
    await inTransaction((library) =>
      library
        .insertInto('folder')
        .values({ id: 'f', name: 'taken' })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doUpdateSet({ name: 'taken' }))
        .execute(),
    )
    await assertOthersUntouched()
  })

  test('are not joined by one that claims to be theirs', async () => {
    const forged = { id: '3', name: 'forged', ['tenant_id' as string]: 'other' }
    await assert.rejects(inTransaction((library) => library.insertInto('folder').values(forged).execute()))
    await assertOthersUntouched()
  })

  function inTransaction<T>(work: (library: Kysely<Library>) => Promise<T>): Promise<T> {
    return database.transaction((transaction: Transaction) =>
      work(libraryOf('acme', dialectFor(transaction))),
    )
  }

  async function assertOthersUntouched(): Promise<void> {
    const library = libraryOf('other', dialectFor(database.executor))
    assert.deepEqual(await titles(library), ['other one', 'other two'])
    const folder = await library.selectFrom('folder').select('name').executeTakeFirst()
    assert.equal(folder?.name, "other's")
  }
})

async function titles(library: Kysely<Library>): Promise<string[]> {
  const rows = await library.selectFrom('note').select('title').orderBy('id').execute()
  return rows.map(({ title }) => title)
}
