/** A backup made by somebody else, whose files would run code of their own once they are served. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { inspectSqlite } from '../../../src/database/sqlite/copy.ts'
import { openSqliteExclusively } from '../../../src/database/sqlite/exclusive-database.ts'
import { digestedText } from '../../../src/operations/backup/file.ts'
import { installCapture } from '../../../src/operations/rows/capture.ts'
import { tenantTables } from '../../../src/operations/rows/shape.ts'
import { listTenants } from '../../../src/tenancy/list.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { BackupScene } from '../data-folder.ts'

interface Entry {
  file: string
}

const hostile: [what: string, file: string, sql: string, complaint: RegExp][] = [
  [
    'a trigger that makes a secret a product',
    'catalogue.db',
    `CREATE TRIGGER leak AFTER INSERT ON account BEGIN
       INSERT INTO product (tenant_id, id, name, price, is_active, version, created_at, updated_at)
       VALUES ('default', new.id, new.password_hash, 0, 1, 1, '', ''); END`,
    /its trigger leak differs from/,
  ],
  [
    'a trigger that removes what is audited',
    'catalogue.db',
    'CREATE TRIGGER hush AFTER INSERT ON audit BEGIN DELETE FROM audit; END',
    /its trigger hush differs from/,
  ],
  [
    'a trigger of ours with another body',
    'tenants/beta.db',
    `DROP TRIGGER event_position;
     CREATE TRIGGER event_position AFTER INSERT ON event BEGIN DELETE FROM event; END`,
    /its trigger event_position differs from/,
  ],
  [
    'a trigger that looks like one of a move',
    'tenants/beta.db',
    `CREATE TRIGGER move_000000000000_insert_product AFTER INSERT ON product BEGIN
       INSERT INTO move_log (tenant, relation, key) SELECT 'beta', 'product', new.name; END`,
    /its trigger move_000000000000_insert_product differs from/,
  ],
  [
    'a table with a trigger',
    'tenants/beta.db',
    `CREATE TABLE evil (tenant_id TEXT PRIMARY KEY);
     CREATE TRIGGER evil AFTER INSERT ON evil BEGIN DELETE FROM product; END`,
    /its table evil differs from/,
  ],
  ['a view', 'tenants/beta.db', 'CREATE VIEW evil AS SELECT * FROM product', /its view evil differs from/],
  [
    'a view in the place of a table',
    'tenants/beta.db',
    `ALTER TABLE product RENAME TO former; CREATE VIEW product AS SELECT * FROM former`,
    /its \w+ \w+ differs from/,
  ],
  [
    'a virtual table',
    'tenants/beta.db',
    'CREATE VIRTUAL TABLE evil USING fts5(name)',
    /its table evil\w* differs from/,
  ],
  [
    'a table with a column of its own',
    'catalogue.db',
    "ALTER TABLE account ADD COLUMN evil TEXT AS (hex('x'))",
    /its table account differs from/,
  ],
  [
    'an index of an expression',
    'tenants/beta.db',
    'CREATE INDEX evil ON product (hex(name))',
    /its index evil differs from/,
  ],
  [
    'an index that keeps rows out',
    'tenants/beta.db',
    'CREATE UNIQUE INDEX evil ON product (tenant_id)',
    /its index evil differs from/,
  ],
  [
    'two tables of one name',
    'tenants/beta.db',
    `PRAGMA writable_schema = ON;
     INSERT INTO sqlite_schema SELECT type, name, tbl_name, rootpage, replace(sql, 'NOT NULL', '') FROM sqlite_schema
       WHERE name = 'product'`,
    /its (schema|table product)\b.* differs from/,
  ],
]

describe('A backup with a schema of somebody else', () => {
  let scene: BackupScene
  before(async () => {
    scene = await BackupScene.create()
    assert.equal((await scene.backUp('data', 'copy')).failures, 0)
  })
  after(() => scene[Symbol.asyncDispose]())

  const forge = (): void => {
    rmSync(scene.path('forged'), { recursive: true, force: true })
    cpSync(scene.path('copy'), scene.path('forged'), { recursive: true })
  }
  const change = async (file: string, sql: string): Promise<void> => {
    const database = new DatabaseSync(scene.path('forged', file), { defensive: false })
    database.exec(sql)
    database.close()
    await describeAnew(file)
  }
  /** All that the manifest says of a file fits, since whoever makes the file writes it. */
  const describeAnew = async (file: string): Promise<void> => {
    const contents = await schemaIn(scene.path('forged', file))
    const path = scene.path('forged', file)
    const manifestPath = scene.path('forged/manifest.json')
    const { sha256: _digest, ...manifest } = JSON.parse(readFileSync(manifestPath, 'utf8'))
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
    const databases = manifest.databases.map((entry: Entry) =>
      entry.file === file ? { ...entry, ...contents, sha256, bytes: statSync(path).size } : entry,
    )
    writeFileSync(manifestPath, digestedText({ ...manifest, databases }))
  }
  const restoreInto = async (dataDir: string): Promise<number> => {
    await scene.restore('forged', dataDir)
    const { items } = await scene.operate(dataDir, (operator) => listTenants(operator, { limit: null }))
    return items.length
  }

  for (const [what, file, sql, complaint] of hostile) {
    it(`is refused before anything is touched: ${what}`, async () => {
      forge()
      await change(file, sql)
      await assert.rejects(scene.restore('forged', 'nowhere'), complaint)
      assert.equal(existsSync(scene.path('nowhere')), false)
    })
  }

  it('is refused where a journal beside it hides what is in a file', async () => {
    forge()
    const path = scene.path('forged/tenants/beta.db')
    const database = new DatabaseSync(path)
    database.exec(
      'PRAGMA journal_mode = WAL; CREATE TRIGGER hush AFTER INSERT ON event BEGIN DELETE FROM event; END',
    )
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0; DROP TRIGGER hush')
    for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, scene.path(`hidden${ending}`))
    database.close()
    for (const ending of ['', '-wal']) copyFileSync(scene.path(`hidden${ending}`), `${path}${ending}`)
    await describeAnew('tenants/beta.db')
    await assert.rejects(scene.restore('forged', 'partly'), /its trigger hush differs from/)
    assert.equal(existsSync(scene.path('partly/tenants/beta.db')), false)
  })

  it('is refused with migrations that nobody here knows, and told whom to ask', async () => {
    forge()
    await change(
      'catalogue.db',
      "INSERT INTO migration VALUES ('zebra-0001', '2026-01-01T00:00:00.000Z', '', NULL)",
    )
    await assert.rejects(
      scene.restore('forged', 'nowhere'),
      /unknown features \(zebra-0001\)\. Run the command line of the application that has these features/,
    )
  })

  it('may have indexes of columns, which operators add', async () => {
    forge()
    await change('catalogue.db', 'CREATE INDEX of_mine ON product (tenant_id, "price" DESC)')
    assert.equal(await restoreInto('indexed'), 5)
  })

  it('may have been made while a tenant was moved', async () => {
    forge()
    const database = openSqliteExclusively(scene.path('forged/tenants/beta.db'))
    await installCapture(database, await tenantTables(database.executor), "o'beta", new Set(['event']))
    await database.close()
    await describeAnew('tenants/beta.db')
    assert.equal(await restoreInto('moved'), 5)
  })

  it('may have had its migrations in another order than the list has', async () => {
    forge()
    await change(
      'catalogue.db',
      `CREATE TEMP TABLE kept AS SELECT * FROM migration; DELETE FROM migration;
       INSERT INTO migration SELECT * FROM kept WHERE name LIKE 'event-%' OR name LIKE 'delivery-%' ORDER BY name;
       INSERT INTO migration SELECT * FROM kept WHERE name NOT IN (SELECT name FROM migration) ORDER BY name`,
    )
    assert.equal(await restoreInto('ordered'), 5)
  })
})

it('A backup that a restore would refuse is told of when it is made', async () => {
  await using place = new Workplace()
  await place.run(['migrate'])
  const database = new DatabaseSync(join(place.folder, 'data/tenantry.db'))
  database.exec('CREATE TABLE of_mine (name TEXT)')
  const refused = await place.run(['backup', '--to', 'copy'])
  assert.equal(refused.code, 1)
  assert.match(refused.stdout, /^catalogue\.db: its table of_mine differs from what this service creates\./m)
  assert.equal(refused.stderr, 'tenantry: A restore will refuse catalogue.db.\n')
  assert.ok(existsSync(join(place.folder, 'copy/catalogue.db')))
  database.exec("DROP TABLE of_mine; INSERT INTO migration VALUES ('zebra-0001', '', '', NULL)")
  database.close()
  const unknown = await place.run(['backup', '--to', 'other'])
  assert.equal(unknown.code, 0)
  assert.match(unknown.stdout, /^catalogue\.db was not checked\. It has tables .* \(zebra-0001\)/m)
})

/** What cannot be read has what the manifest said before. */
async function schemaIn(path: string): Promise<object> {
  try {
    return await inspectSqlite(path)
  } catch {
    return {}
  }
}
