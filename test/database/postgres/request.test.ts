/** What a request to PostgreSQL carries: values of every kind and size, and the columns of what was prepared before. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../../../src/database/executor.ts'
import { openPostgres } from '../../../src/database/postgres/postgres-database.ts'
import { createPostgresDatabase } from '../../support/databases.ts'

describe('A request to PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  let database: Database
  before(async () => {
    postgres = await createPostgresDatabase()
    database = openPostgres(postgres.url, {
      maxConnections: 1,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 30_000,
    })
  })
  after(async () => {
    await database.close()
    await postgres.drop()
  })

  async function answerTo(sql: string, values: readonly unknown[] = [], isReusable = true): Promise<unknown> {
    const { rows } = await database.executor.run(sql, values, isReusable)
    return rows[0]?.['value']
  }

  const texts = {
    'an empty text': '',
    'a text of one byte a character': 'plain',
    'a text of two bytes a character': 'Größe',
    'a text of three bytes a character': '値段',
    'a text of four bytes a character': '🧾',
    'a text that is measured first': 'é'.repeat(5000),
    'a text longer than the buffer of requests': '€'.repeat(100_000),
  }
  for (const [kind, text] of Object.entries(texts))
    it(`carries ${kind}`, async () => {
      assert.equal(await answerTo('SELECT $1::text AS value', [text]), text)
      assert.equal(await answerTo(`SELECT '${text}' AS value`, [], false), text)
    })

  it('carries texts of any length, one after the other', async () => {
    for (let length = 1; length < 60_000; length = Math.ceil(length * 1.3) + 1)
      assert.equal(
        await answerTo('SELECT length($1::text) + length($2::text) AS value', ['a'.repeat(length), 'é']),
        length + 1,
      )
  })

  it('carries requests that are sent before the first is answered', async () => {
    const sent = Array.from({ length: 40 }, (_, index) => `${index} `.repeat(3000))
    const answers = await database.transaction((inside) =>
      Promise.all(sent.map((text) => inside.run('SELECT $1::text AS value', [text], true))),
    )
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]?.['value']),
      sent,
    )
  })

  it('carries bytes beside texts, numbers, truths and NULL', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    const sql =
      'SELECT $1::bytea AS bytes, $2::text AS text, $3::numeric AS number, $4::boolean AS truth, $5::text AS nothing'
    const { rows } = await database.executor.run(sql, [bytes, 'ä', -1.5, true, null], true)
    assert.deepEqual(rows, [{ bytes, text: 'ä', number: -1.5, truth: true, nothing: null }])
  })

  it('is not sent when a value of it cannot be', async () => {
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    await assert.rejects(answerTo('SELECT $1::text AS value', [circular]), /circular/)
    assert.equal(await answerTo('SELECT $1::text AS value', ['after']), 'after')
    await assert.rejects(answerTo('SELECT $1::jsonb AS value', [circular]), /circular/)
    assert.deepEqual(await answerTo('SELECT $1::jsonb AS value', [{ after: true }]), { after: true })
  })

  it('reads the columns that a table has now, though the statement was prepared before', async () => {
    await database.transaction((inside) => inside.run('CREATE TABLE thing (value integer)', [], false))
    await database.executor.run('INSERT INTO thing VALUES (7)', [], true)
    assert.equal(await answerTo('SELECT value FROM thing'), 7)
    assert.equal(await answerTo('SELECT value FROM thing'), 7)
    await database.executor.run('ALTER TABLE thing ALTER value TYPE text', [], false)
    assert.equal(await answerTo('SELECT value FROM thing'), '7')
    assert.equal(await answerTo('SELECT value FROM thing'), '7')
  })
})
