/** Statements that are sent together with the next one. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { ConstraintViolation, type Database, type Executor } from '../../src/database/executor.ts'
import { toStatement } from '../../src/database/postgres/request.ts'
import { deferOrRun } from '../../src/database/prepared.ts'
import { inSavepoint } from '../../src/database/savepoint.ts'
import { newDatabase, type OpenedDatabase } from '../support/database/opened.ts'
import { createPostgresDatabase, onEachDatabase } from '../support/databases.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { startService } from '../support/service.ts'
import { watchFlights } from './flights.ts'

onEachDatabase('A statement that is deferred', (name) => {
  let opened: OpenedDatabase
  let database: Database
  before(async () => {
    opened = await newDatabase(name)
    database = opened.open()
    const create = 'CREATE TABLE note (id integer PRIMARY KEY)'
    await database.transaction((transaction) => transaction.run(create, [], false))
  })
  afterEach(() => database.transaction((transaction) => transaction.run('DELETE FROM note', [], false)))
  after(() => opened.drop())

  const add = (executor: Executor, id: number) =>
    deferOrRun(executor, `INSERT INTO note (id) VALUES (${id})`, [], true)
  const ids = async (executor: Executor) =>
    (await executor.run('SELECT id FROM note ORDER BY id', [], false)).rows.map(({ id }) => id)

  it('has run before the next one', async () => {
    const seen = await database.transaction(async (transaction) => {
      await add(transaction, 1)
      await add(transaction, 2)
      return ids(transaction)
    })
    assert.deepEqual(seen, [1, 2])
  })

  it('is committed when nothing comes after it', async () => {
    await database.transaction((transaction) => add(transaction, 1))
    assert.deepEqual(await ids(database.executor), [1])
  })

  it('tells its answer before the commit is told of', async () => {
    const told: string[] = []
    const addAndTell = 'INSERT INTO note (id) VALUES (1) RETURNING id'
    await database.transaction(async (transaction) => {
      transaction.afterCommit(() => told.push('commit'))
      await deferOrRun(transaction, addAndTell, [], true, ({ rows }) => {
        told.push(`row ${rows[0]?.['id']}`)
        transaction.afterCommit(() => told.push('what follows from it'))
      })
    })
    assert.deepEqual(told, ['row 1', 'commit', 'what follows from it'])
  })

  it('fails the transaction when it fails, and leaves the connections as they were', async () => {
    const work = database.transaction(async (transaction) => {
      await add(transaction, 1)
      await add(transaction, 1)
      await add(transaction, 2)
    })
    await assert.rejects(work, ConstraintViolation)
    assert.deepEqual(await ids(database.executor), [])
    await database.transaction((transaction) => add(transaction, 3))
    assert.deepEqual(await ids(database.executor), [3])
  })

  it('that was skipped after a failure runs the next time', async () => {
    const insert = 'INSERT INTO note (id) VALUES (1 + 1)'
    const work = database.transaction(async (transaction) => {
      await add(transaction, 1)
      await add(transaction, 1)
      await deferOrRun(transaction, insert, [], true)
    })
    await assert.rejects(work, ConstraintViolation)
    for (let each = 0; each < 3; each++) {
      await database.transaction((transaction) => deferOrRun(transaction, insert, [], true))
      await database.transaction((transaction) => transaction.run('DELETE FROM note', [], false))
    }
  })

  it('in a savepoint fails that alone', async () => {
    await database.transaction(async (transaction) => {
      await add(transaction, 1)
      const part = inSavepoint(transaction, () => add(transaction, 1))
      await assert.rejects(part, ConstraintViolation)
      await add(transaction, 2)
    })
    assert.deepEqual(await ids(database.executor), [1, 2])
  })

  it('is forgotten with what was to come after it', async () => {
    const work = database.transaction(async (transaction) => {
      await add(transaction, 1)
      throw new Error('no more')
    })
    await assert.rejects(work, /no more/)
    assert.deepEqual(await ids(database.executor), [])
  })
})

describe('A product on PostgreSQL', () => {
  it('is created by one request to the database: the row, the lock of the tenant, and the event', async () => {
    const postgres = await createPostgresDatabase()
    await using flights = await watchFlights(postgres.url)
    const service = await startService('postgres', { DATABASE_URL: flights.url })
    try {
      const { user } = await service.newTenant()
      const made = await user.post('/api/products', { name: 'Lamp', price: 1 })
      assert.equal(made.status, 201, made.text)
    } finally {
      await service.stop()
      await postgres.drop()
    }
    const sent = flights.connections.flat().find((text) => text.includes('Lamp')) ?? ''
    const lock = toStatement('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [], true).name
    const places = ['Lamp', lock, 'product.created'].map((part) => sent.indexOf(part))
    assert.ok(!places.includes(-1), `${places}`)
    assert.deepEqual(
      places.toSorted((a, b) => a - b),
      places,
    )
    assert.doesNotMatch(sent, /begin|commit/i)
  })
})

describe('The row that counts the orders of a tenant on PostgreSQL', () => {
  it('is locked while nothing is waited for but the commit', async () => {
    const postgres = await createPostgresDatabase()
    await using flights = await watchFlights(postgres.url)
    const service = await startService('postgres', { DATABASE_URL: flights.url })
    try {
      const { user } = await service.newTenant()
      const order = orderOf([[await newProduct(user), 2]])
      const made = await user.post('/api/orders', order, { 'idempotency-key': 'once' })
      assert.equal(made.status, 201, made.text)
    } finally {
      await service.stop()
      await postgres.drop()
    }
    const sent =
      flights.connections.find((all) => all.some((text) => text.includes('into "order_count"'))) ?? []
    const counted = sent.findIndex((text) => text.includes('into "order_count"'))
    const next = sent[counted + 1] ?? ''
    for (const part of [
      '"sales_order"',
      '"sales_order_item"',
      'order.created',
      'update "idempotency"',
      'COMMIT',
    ])
      assert.ok(next.includes(part), `${part} is in ${JSON.stringify(sent.slice(counted))}`)
  })
})
