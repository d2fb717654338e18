/** What the codes of both databases mean for those who asked. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  ConstraintViolation,
  type Database,
  DatabaseBusy,
  DatabaseDamaged,
  DatabaseUnavailable,
  StatementTimedOut,
} from '../../src/database/executor.ts'
import { meanings } from '../../src/database/postgres/failure.ts'
import { openPostgres } from '../../src/database/postgres/postgres-database.ts'
import { translate } from '../../src/database/sqlite/failure.ts'
import { createPostgresDatabase } from '../harness/databases.ts'
import { inspect } from './inspect.ts'

/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const classes =
  '00 01 02 03 08 09 0A 0B 0F 0L 0P 0Z 10 20 21 22 23 24 25 26 27 28 2B 2D 2F 34 38 39 3B 3D 3F 40 42 44 53 54 55 57 58 72 F0 HV P0 XX'

const codes: [code: string, kind: unknown][] = [
  ['08006', DatabaseUnavailable],
  ['25006', DatabaseUnavailable],
  ['25P03', DatabaseUnavailable],
  ['25P04', StatementTimedOut],
  ['28P01', DatabaseUnavailable],
  ['3D000', DatabaseUnavailable],
  ['40001', DatabaseUnavailable],
  ['40P01', DatabaseUnavailable],
  ['42501', DatabaseUnavailable],
  ['53100', DatabaseUnavailable],
  ['53300', DatabaseUnavailable],
  ['55006', DatabaseUnavailable],
  ['55P03', DatabaseBusy],
  ['57014', StatementTimedOut],
  ['57P01', DatabaseUnavailable],
  ['58030', DatabaseUnavailable],
  ['XX000', DatabaseUnavailable],
  ['XX001', DatabaseDamaged],
  ['XX002', DatabaseDamaged],
  ['23505', ConstraintViolation],
  ['23514', ConstraintViolation],
]
const faults = ['0A000', '3F000', '42P01', '42703', '22003', '25P02', '42601', '54001', 'P0001']

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

  it('has a meaning by every class of its codes', () => {
    assert.deepEqual(
      Object.keys(meanings)
        .filter((code) => code.length === 2)
        .toSorted(),
      classes.split(' '),
    )
  })

  for (const [code, kind] of codes) {
    it(`is one of ours for ${code}`, async () => {
      await assert.rejects(raise(code), (error: Error) => error.constructor === kind)
    })
  }

  it('passes as it is where it is a fault of ours', async () => {
    for (const code of faults) await assert.rejects(raise(code), { name: 'error', code })
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
