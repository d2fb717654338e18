import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import pg from 'pg'
import { SecretBox } from '../../../src/core/encryption/secret-box.ts'
import { type EncryptedColumn, replaceEncrypted } from '../../../src/database/encrypted-rows.ts'
import type { Database } from '../../../src/database/executor.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { parseDatabaseUrl } from '../../../src/database/target.ts'
import { reencryptDatabase } from '../../../src/operations/reencrypt/reencrypt-database.ts'
import { createService } from '../../../src/service/service.ts'
import { type EmptyDatabase, emptyDatabase } from '../../support/database/empty-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { Workplace } from '../../support/process/workplace.ts'

const outcomes: EncryptedColumn = {
  purpose: 'idempotency',
  database: 'tenant',
  table: 'idempotency',
  column: 'outcome',
  key: ['tenant_id', 'key'],
}
const rows = 6_000

onEachDatabase('Sealing everything anew', (database) => {
  const present = randomBytes(32)
  let empty: EmptyDatabase
  let former: SecretBox
  let opened: Database
  before(async () => {
    empty = await emptyDatabase(database)
    former = new SecretBox(empty.config.masterKey)
    await (await createService(empty.config, { log: empty.log })).stop()
    const limits = { maxConnections: 5, connectTimeoutMs: 5000, statementTimeoutMs: 30_000 }
    opened = await openDatabase(parseDatabaseUrl(empty.config.databaseUrl), limits)
  })
  after(async () => {
    await opened.close()
    await empty.drop()
  })

  const look = (sql: string) => inspect(empty.config.databaseUrl, sql)
  const both = () => new SecretBox(present, [empty.config.masterKey])
  const bytes = (value: Uint8Array) => {
    const hex = Buffer.from(value).toString('hex')
    return database === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'::bytea`
  }
  const fill = async (count: number, outcome: Uint8Array) => {
    await look('DELETE FROM idempotency')
    await look(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
       INSERT INTO idempotency (tenant_id, key, fingerprint, outcome, created_at)
       SELECT 'default', 'key-' || n, 'f', ${bytes(outcome)}, '2026-01-01T00:00:00.000Z' FROM number`,
    )
  }
  const texts = async (secretBox: SecretBox) =>
    (await look('SELECT outcome FROM idempotency ORDER BY key')).map(({ outcome }) =>
      // biome-ignore lint/suspicious/noExplicitAny: bytes, in both databases
      secretBox.decrypt(outcome as any, 'idempotency'),
    )

  it('goes on where it was killed, and reports what no key decrypts', async () => {
    await fill(rows, former.encrypt('outcome', 'idempotency'))
    await using place = new Workplace({
      ...empty.settings,
      DATABASE_URL: empty.config.databaseUrl,
      MASTER_KEY: present.toString('base64'),
      PREVIOUS_MASTER_KEYS: String(empty.settings['MASTER_KEY']),
    })
    const running = place.start(['keys', 'reencrypt'])
    const prefix = bytes(both().prefix)
    const done = async () => {
      const sql = `SELECT count(*) AS count FROM idempotency WHERE substr(outcome, 1, 5) = ${prefix}`
      return Number((await look(sql))[0]?.['count'])
    }
    await eventually('the first batch', 15_000, async () => (await done()) > 0)
    const { signal } = await running.kill()
    const early = await done()
    assert.equal(signal, 'SIGKILL')
    assert.ok(early > 0 && early < rows, `${early} of ${rows}`)
    await look(`UPDATE idempotency SET outcome = ${bytes(Buffer.of(1, 2, 3))} WHERE key = 'key-${rows}'`)
    const { code, stdout, stderr } = await place.run(['keys', 'reencrypt'])
    assert.equal(code, 1)
    assert.match(stdout, /^The shared database: \d+ re-encrypted, 1 that no key decrypts\n$/)
    assert.match(stderr, /^tenantry: Not everything is encrypted under the master key [0-9a-f]{8}: /)
    const late = Number(/: (\d+) re-encrypted/.exec(stdout)?.[1])
    assert.ok(late >= rows - early - 1 && late < rows - early + 10, `${early} and ${late}`)
    await look(`DELETE FROM idempotency WHERE key = 'key-${rows}'`)
    assert.deepEqual(new Set(await texts(new SecretBox(present))), new Set(['outcome']))
  })

  it('counts what there is to do, and changes nothing', async () => {
    await fill(250, former.encrypt('outcome', 'idempotency'))
    const count = () => reencryptDatabase(opened, [outcomes], { secretBox: both(), dryRun: true })
    assert.deepEqual(await count(), { done: 250, undecryptable: 0, left: 250 })
    assert.deepEqual(await count(), { done: 250, undecryptable: 0, left: 250 })
    assert.equal((await texts(former)).length, 250)
  })

  it('passes over columns that a database does not have, and values that are reserved only', async () => {
    await fill(1, new Uint8Array())
    const columns = [{ ...outcomes, table: 'nowhere' }, { ...outcomes, column: 'nowhere' }, outcomes]
    const reencrypted = await reencryptDatabase(opened, columns, { secretBox: both(), dryRun: false })
    assert.deepEqual(reencrypted, { done: 0, undecryptable: 0, left: 0 })
  })

  it('undoes no change that was made meanwhile', async () => {
    await fill(1, former.encrypt('newer', 'idempotency'))
    const row = { key: ['default', 'key-1'], encrypted: former.encrypt('older', 'idempotency') }
    const replaced = await opened.transaction((inside) =>
      replaceEncrypted(inside, outcomes, row, both().encrypt('older', 'idempotency')),
    )
    assert.equal(replaced, false)
    assert.deepEqual(await texts(former), ['newer'])
  })

  if (database === 'sqlite') return // there is one writer at a time

  it('leaves a row that somebody is changing for later, and waits for nobody', async () => {
    await fill(3, former.encrypt('before', 'idempotency'))
    const other = new pg.Client({ connectionString: empty.config.databaseUrl })
    await other.connect()
    await other.query('BEGIN')
    const sealed = former.encrypt('changed', 'idempotency')
    await other.query("UPDATE idempotency SET outcome = $1 WHERE key = 'key-2'", [sealed])
    const reencrypting = reencryptDatabase(opened, [outcomes], { secretBox: both(), dryRun: false })
    const isDone = async () => {
      const { rows: done } = await other.query(
        'SELECT count(*) FROM idempotency WHERE substr(outcome, 1, 5) = $1',
        [both().prefix],
      )
      return Number(done[0]?.count) === 2
    }
    await eventually('the others', soonMs, isDone)
    await other.query('COMMIT')
    await other.end()
    assert.deepEqual(await reencrypting, { done: 3, undecryptable: 0, left: 0 })
    assert.deepEqual(await texts(new SecretBox(present)), ['before', 'changed', 'before'])
  })
})
