/** The scopes of users, and of rows that belong to others, tested by the rows that they reach. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { Kysely } from 'kysely'
import { dialectFor } from '../../src/database/dialect.ts'
import { ConstraintViolation, type Database } from '../../src/database/executor.ts'
import type { Scope } from '../../src/database/scope.ts'
import { newDatabase, type OpenedDatabase } from '../support/database/opened.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type Library, libraryIn } from './library.ts'
import { runStatement } from './run-statement.ts'

const schema = [
  'CREATE TABLE draft (id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, account_id TEXT, title TEXT)',
  `CREATE TABLE pen_name (tenant_id TEXT NOT NULL, account_id TEXT NOT NULL, name TEXT, style TEXT,
    PRIMARY KEY (tenant_id, name))`,
  'CREATE TABLE revision (id TEXT PRIMARY KEY, draft_id TEXT NOT NULL, text TEXT)',
]

const ada: Scope = { tenant: 'acme', user: 'ada' }

/** Of the same tenant, and one of the same id in another. */
const others: Scope[] = [
  { tenant: 'acme', user: 'bob' },
  { tenant: 'other', user: 'ada' },
]

onEachDatabase('The rows of another user', (name) => {
  let opened: OpenedDatabase
  let database: Database
  before(async () => {
    opened = await newDatabase(name)
    database = opened.open()
    await database.transaction(async (inside) => {
      for (const statement of schema) await runStatement(inside, statement)
    })
  })
  beforeEach(async () => {
    await database.transaction(async (inside) => {
      for (const table of ['draft', 'pen_name', 'revision'])
        await runStatement(inside, `DELETE FROM ${table}`)
    })
    for (const scope of [ada, ...others]) await change(scope, (library) => fill(library, nameOf(scope)))
  })
  after(() => opened.drop())

  it('are there', async () => {
    for (const scope of others) assert.deepEqual(await rowsOf(scope), filled(nameOf(scope)))
  })

  it('are not selected, joined or counted', async () => {
    await read(ada, async (library) => {
      assert.deepEqual(await rowsOf(ada), filled('acme-ada'))
      const joined = await library
        .selectFrom('draft')
        .innerJoin('revision', (join) => join.on((eb) => eb.lit(true)))
        .leftJoin('pen_name', (join) => join.on((eb) => eb.lit(true)))
        .select(['draft.id', 'text', 'name'])
        .execute()
      assert.deepEqual(structuredClone(joined), [{ id: 'acme-ada', text: 'text', name: 'acme-ada' }])
      const counted = await library
        .selectFrom('draft')
        .select((eb) => eb.selectFrom('revision').select(eb.fn.countAll<number>().as('all')).as('count'))
        .executeTakeFirstOrThrow()
      assert.equal(Number(counted.count), 1)
    })
  })

  it('are not found by their id', async () => {
    for (const other of others.map(nameOf))
      await read(ada, async (library) => {
        const draft = library.selectFrom('draft').select('id').where('id', '=', other)
        assert.deepEqual(await draft.execute(), [])
        const revision = library.selectFrom('revision').select('id').where('draft_id', '=', other)
        assert.deepEqual(await revision.execute(), [])
      })
  })

  it('are not updated or deleted', async () => {
    await change(ada, async (library) => {
      const updated = await library.updateTable('draft').set({ title: 'new' }).executeTakeFirst()
      assert.equal(updated.numUpdatedRows, 1n)
      const rewritten = await library.updateTable('revision').set({ text: 'new' }).executeTakeFirst()
      assert.equal(rewritten.numUpdatedRows, 1n)
      assert.equal((await library.deleteFrom('revision').executeTakeFirst()).numDeletedRows, 1n)
      assert.equal((await library.deleteFrom('draft').executeTakeFirst()).numDeletedRows, 1n)
      assert.equal((await library.deleteFrom('pen_name').executeTakeFirst()).numDeletedRows, 1n)
    })
    await assertOthersUntouched()
  })

  it('are not overwritten by an insert with their key', async () => {
    for (const other of others.map(nameOf))
      await change(ada, async (library) => {
        const { numInsertedOrUpdatedRows: drafts } = await library
          .insertInto('draft')
          .values({ id: other, title: 'taken' })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ title: 'taken' }))
          .executeTakeFirstOrThrow()
        assert.equal(drafts, 0n)
      })
    await change(ada, async (library) => {
      const { numInsertedOrUpdatedRows: names } = await library
        .insertInto('pen_name')
        .values({ name: 'acme-bob', style: 'taken' })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doUpdateSet({ style: 'taken' }))
        .executeTakeFirstOrThrow()
      assert.equal(names, 0n)
    })
    await assertOthersUntouched()
  })

  it('get no rows that belong to them', async () => {
    for (const draft_id of [...others.map(nameOf), 'nobody'])
      for (const scope of [ada, { tenant: 'third' }])
        await assert.rejects(
          change(scope, (library) =>
            library.insertInto('revision').values({ id: 'forged', draft_id, text: 'forged' }).execute(),
          ),
          ConstraintViolation,
        )
    await assertOthersUntouched()
  })

  it('of another tenant are not reached by the scope of a tenant', async () => {
    const acme: Scope = { tenant: 'acme' }
    await change(acme, async (library) => {
      assert.equal(
        (await library.updateTable('revision').set({ text: 'new' }).executeTakeFirst()).numUpdatedRows,
        2n,
      )
      assert.equal((await library.deleteFrom('revision').executeTakeFirst()).numDeletedRows, 2n)
      assert.equal((await library.deleteFrom('draft').executeTakeFirst()).numDeletedRows, 2n)
      const { numInsertedOrUpdatedRows } = await library
        .insertInto('draft')
        .values({ id: 'other-ada', title: 'taken' })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ title: 'taken' }))
        .executeTakeFirstOrThrow()
      assert.equal(numInsertedOrUpdatedRows, 0n)
    })
    const other: Scope = { tenant: 'other', user: 'ada' }
    assert.deepEqual(await rowsOf(other), filled('other-ada'))
  })

  function read<T>(scope: Scope, work: (library: Kysely<Library>) => Promise<T>): Promise<T> {
    return work(libraryIn(scope, dialectFor(database.executor)))
  }

  function change<T>(scope: Scope, work: (library: Kysely<Library>) => Promise<T>): Promise<T> {
    return database.transaction((inside) => work(libraryIn(scope, dialectFor(inside))))
  }

  function rowsOf(scope: Scope): Promise<object> {
    return read(scope, async (library) =>
      structuredClone({
        drafts: await library.selectFrom('draft').select(['id', 'title']).execute(),
        revisions: await library.selectFrom('revision').select(['draft_id', 'text']).execute(),
        names: await library.selectFrom('pen_name').select(['name', 'style']).execute(),
      }),
    )
  }

  async function assertOthersUntouched(): Promise<void> {
    for (const scope of others) assert.deepEqual(await rowsOf(scope), filled(nameOf(scope)))
  }
})

function nameOf({ tenant, user }: Scope): string {
  return `${tenant}-${user}`
}

async function fill(library: Kysely<Library>, name: string): Promise<void> {
  await library.insertInto('draft').values({ id: name, title: 'title' }).execute()
  await library.insertInto('revision').values({ id: name, draft_id: name, text: 'text' }).execute()
  await library.insertInto('pen_name').values({ name, style: 'style' }).execute()
}

function filled(name: string): object {
  return {
    drafts: [{ id: name, title: 'title' }],
    revisions: [{ draft_id: name, text: 'text' }],
    names: [{ name, style: 'style' }],
  }
}
