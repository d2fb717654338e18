/** The errors that callers get for the error codes of both databases. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import {
  ConstraintViolation,
  type Database,
  DatabaseBusy,
  DatabaseDamaged,
  DatabaseUnavailable,
} from '../../src/database/executor.ts'
import { endsConnection, meanings } from '../../src/database/postgres/failure.ts'
import { openPostgres } from '../../src/database/postgres/postgres-database.ts'
import { translate } from '../../src/database/sqlite/failure.ts'
import { inspect } from '../support/database/inspect.ts'
import { serverCodes } from '../support/database/postgres-server.ts'
import { createPostgresDatabase, postgresServerUrl } from '../support/databases.ts'
import { classes, expectedAnswers, former, kinds } from './sqlstates.ts'

describe('What PostgreSQL refuses', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  let database: Database
  before(async () => {
    postgres = await createPostgresDatabase()
    const options = { maxConnections: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 }
    database = openPostgres(postgres.url, options)
  })
  after(async () => {
    await database.close()
    await postgres.drop()
  })
  const raise = (code: string) =>
    database.executor.run(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`, [], false)

  it('has a meaning here by every code that the server knows', () => {
    const known = [...serverCodes().matchAll(/^(\w{5})\s+[ESW]\s/gm)].map(([, code = '']) => code)
    const told = expectedAnswers(classes).map(([code]) => code)
    assert.ok(known.length > 250)
    assert.deepEqual(told.toSorted(), [...new Set(known)].toSorted())
    const ofClasses = Object.keys(meanings).filter((code) => code.length === 2)
    assert.deepEqual(ofClasses.toSorted(), Object.keys({ ...classes, ...former }).toSorted())
  })

  for (const [name, answered] of Object.entries({ ...classes, ...former })) {
    it(`is, of class ${name}, ${Object.keys(answered).join(' or ')}`, async () => {
      for (const [code, answer] of expectedAnswers({ [name]: answered })) {
        if (code === '00000') continue // nobody can raise it
        const kind = kinds[answer]
        await assert.rejects(raise(code), (error: Error & { code?: string }) =>
          kind === null ? error.name === 'error' && error.code === code : error.constructor === kind,
        )
      }
    })
  }

  it('leaves the connection usable in any language of the server, unless it closes the connection', () => {
    const refused = (severity: string, code: string) =>
      endsConnection(Object.assign(new pg.DatabaseError('nein', 0, 'error'), { severity, code }))
    assert.equal(refused('ERROR', '23505'), false)
    assert.equal(refused('FEHLER', '23505'), false)
    assert.equal(refused('エラー', '57014'), false)
    assert.equal(refused('FATAL', '53300'), true)
    assert.equal(refused('致命的エラー', '57P01'), true)
    assert.equal(refused('致命的エラー', '25P03'), true)
  })

  it('is asked once more where a migration has overtaken the plan of a statement', async () => {
    await inspect(postgres.url, 'CREATE TABLE note (text varchar(5)); INSERT INTO note VALUES (1)')
    const ask = async () => (await database.executor.run('SELECT * FROM note', [], true)).rows
    assert.deepEqual(await ask(), [{ text: '1' }])
    await inspect(postgres.url, 'ALTER TABLE note ALTER text TYPE integer USING text::integer')
    assert.deepEqual(await ask(), [{ text: 1 }])
    const inside = () =>
      database.transaction((transaction) => transaction.run('SELECT * FROM note', [], true))
    await inside()
    await inspect(postgres.url, 'ALTER TABLE note ALTER text TYPE text')
    await assert.rejects(inside(), DatabaseUnavailable)
    assert.deepEqual((await inside()).rows, [{ text: '1' }])
  })

  it('is asked once more where the server has forgotten a statement, as behind a pooler', async () => {
    const ask = async () => (await database.executor.run('SELECT 1 AS one', [], true)).rows
    assert.deepEqual(await ask(), [{ one: 1 }])
    await database.executor.run('DEALLOCATE ALL', [], false)
    assert.deepEqual(await ask(), [{ one: 1 }])
  })

  it('is never taken for a commit', async () => {
    const work = database.transaction(async (transaction) => {
      await transaction.run('SELECT 1 / 0', [], false).catch(() => undefined)
    })
    await assert.rejects(work, /A statement of the transaction failed/)
  })
})

describe('A PostgreSQL that cannot be connected to', () => {
  const options = { maxConnections: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 }
  const ways: [title: string, url: () => Promise<string>][] = [
    ['nothing listens', async () => 'postgres://127.0.0.1:1/none'],
    ['its name means nothing', async () => 'postgres://nowhere.invalid/none'],
    ['it has left no socket', async () => 'postgres:///none?host=/nowhere'],
    ['it has no certificate', async () => `${await postgresServerUrl()}?sslmode=verify-full`],
  ]
  for (const [title, url] of ways) {
    it(`is away where ${title}`, async () => {
      const database = openPostgres(await url(), options)
      const refused = (work: Promise<unknown>) => assert.rejects(work, DatabaseUnavailable)
      await refused(database.executor.run('SELECT 1', [], true))
      await refused(database.transaction((inside) => inside.run('SELECT 1', [], true)))
      const scan = database.scan('SELECT 1', [], { owner: 'a', time: { leftMs: 1000 } })
      await refused(scan[Symbol.asyncIterator]().next())
      await refused(database.check())
      await database.close()
    })
  }
})

describe('What SQLite refuses', () => {
  const refused = (errcode: number, message = 'no') =>
    translate(Object.assign(new Error(message), { errcode }))

  it('is one of ours, or passes as it is where it is a fault of ours', () => {
    const expected: [code: number, kind: unknown][] = [
      ...[1, 12, 18, 20, 21, 23, 25].map((code): [number, unknown] => [code, Error]),
      ...[3, 4, 7, 8, 9, 10, 13, 14, 17, 22, 266, 778].map((code): [number, unknown] => [
        code,
        DatabaseUnavailable,
      ]),
      ...[5, 6, 15, 261].map((code): [number, unknown] => [code, DatabaseBusy]),
      ...[2, 11, 26, 267].map((code): [number, unknown] => [code, DatabaseDamaged]),
      ...[19, 2067, 787].map((code): [number, unknown] => [code, ConstraintViolation]),
    ]
    for (const [code, kind] of expected) assert.equal((refused(code) as Error).constructor, kind, `${code}`) // an error in, an error out
  })
})
