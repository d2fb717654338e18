/** Archives made with bad intent: their digests match, but the service would not write them. */
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { openSqliteExclusively } from '../../../src/database/sqlite/exclusive-database.ts'
import { type ArchivedShapes, archivedShapes } from '../../../src/operations/archive/table.ts'
import { digestTables } from '../../../src/operations/rows/compare.ts'
import { dump } from '../../support/database/inspect.ts'
import type { TestService } from '../../support/service.ts'
import { enormous } from '../../support/weak-hash.ts'
import { ArchiveScene } from './installations.ts'
import { rewriteManifest } from './rewrite-manifest.ts'

describe('A hostile archive', () => {
  let scene: ArchiveScene
  let target: TestService
  let shapes: ArchivedShapes
  /** Of a tenant that the target has not. */
  let whole: { tenantId: string; path: string }
  before(async () => {
    scene = new ArchiveScene()
    const passage = await scene.passage('sqlite')
    target = passage.target
    whole = { tenantId: passage.tenant.id, path: passage.archive }
    const { shared } = await target.service.operator()
    const file = openSqliteExclusively(whole.path)
    shapes = await archivedShapes(file.executor, shared.migrations)
    await file.close()
  })
  after(() => scene[Symbol.asyncDispose]())

  for (const [what, hash] of [
    ['that takes a gigabyte', enormous],
    ['of another algorithm', '$2b$12$abcdefghijklmnopqrstuv'],
    ['with a salt of a megabyte', `$argon2id$v=19$m=64,t=1,p=1$${'a'.repeat(1_000_000)}$${'a'.repeat(43)}`],
    ['that is empty', ''],
  ] as const) {
    it(`is refused for a password hash ${what}`, async () => {
      const complaint =
        /^The password hash of the user [-0-9a-f]{36} has other parameters than are accepted here: argon2id/
      const archive = await forgedCopy(`UPDATE account SET password_hash = '${hash}'`)
      await isRefused(archive, { kind: 'invalid', message: complaint })
    })
  }

  const rows: [what: string, sql: (tenant: string) => string, complaint: RegExp][] = [
    [
      'a list of events that is none',
      (id) => `UPDATE subscription SET events = 'x' WHERE tenant_id = '${id}'`,
      /^Row \d+ of the table subscription in the archive: events: must be JSON that matches its schema/,
    ],
    [
      'more rules than a tenant may have',
      (id) => `INSERT INTO webhook_rule ${manyRules(id)}`,
      /^The archive has more than 100 rules for incoming webhooks/,
    ],
    [
      'more providers than a tenant may have',
      (id) => `INSERT INTO webhook_provider ${manyProviders(id)}`,
      /^The archive has more than 50 providers of incoming webhooks/,
    ],
    [
      'a text that is bytes',
      (id) => `UPDATE product SET name = x'00ff' WHERE tenant_id = '${id}'`,
      /^Row 1 of the table product in the archive: name: must be a text/,
    ],
    [
      'a delivery with the queue key of another tenant',
      (id) => `UPDATE delivery SET queue = 'victim/s/first', next_at = created_at WHERE tenant_id = '${id}'`,
      /^The delivery [-0-9a-f]{36} in the archive has an invalid queue key or due time/,
    ],
    [
      'a delivery with a due time that is none',
      (id) =>
        `UPDATE delivery SET queue = tenant_id || '/' || subscription_id || '/first', next_at = 'never' WHERE tenant_id = '${id}'`,
      /^Row 1 of the table delivery in the archive: next_at: must be a moment in UTC/,
    ],
  ]
  for (const [what, sql, message] of rows) {
    it(`is refused for ${what}`, async () => {
      await isRefused(await forgedCopy(sql(whole.tenantId)), { message })
    })
  }

  const endless = '(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)'
  const objects: [what: string, sql: string, complaint: RegExp][] = [
    [
      'a trigger',
      "CREATE TRIGGER evil AFTER UPDATE ON account BEGIN UPDATE account SET roles = 'Admin'; END",
      /trigger evil differs from what this service creates/,
    ],
    [
      'a trigger instead of one of ours',
      `DROP TRIGGER event_position; CREATE TRIGGER event_position AFTER INSERT ON event BEGIN SELECT ${endless}; END`,
      /trigger event_position differs/,
    ],
    ['a view', `CREATE VIEW evil AS SELECT ${endless}`, /view evil differs/],
    [
      'a view in the place of a table',
      `ALTER TABLE product RENAME TO other; CREATE VIEW product AS SELECT * FROM other WHERE ${endless} > 0`,
      /(view|table) \w+ differs from what this service creates/,
    ],
    [
      'a computed column',
      'ALTER TABLE product ADD COLUMN evil AS (zeroblob(900000000))',
      /table product differs from/,
    ],
    ['an index of expressions', 'CREATE INDEX evil ON product (length(hex(name)))', /index evil differs/],
    ['a further table', 'CREATE TABLE evil (tenant_id TEXT PRIMARY KEY)', /table evil differs/],
    ['an index less', 'DROP INDEX account_email_key', /index account_email_key differs/],
    [
      'a manifest that is a view',
      `ALTER TABLE manifest RENAME TO other; CREATE VIEW manifest AS SELECT content || ${endless} AS content FROM other`,
      /is not an archive of a tenant/,
    ],
  ]
  for (const [what, sql, message] of objects) {
    it(`is refused for ${what}, before it is evaluated`, async () => {
      await isRefused(changedCopy(sql), { message })
    })
  }

  it('is refused for a row that would fill the memory', async () => {
    const archive = changedCopy('UPDATE product SET description = hex(zeroblob(35000000))')
    await isRefused(archive, { message: /is damaged: a row in it has more than 67108864 bytes/ })
  })

  it('may have pages of another size', async () => {
    await scene.import(target, changedCopy('PRAGMA page_size = 65536; VACUUM'))
    assert.equal((await target.host.get(`/api/tenants/${whole.tenantId}`)).status, 200)
  })

  /** @returns a copy of the whole archive in which this was run */
  function changedCopy(sql: string): string {
    const path = scene.path()
    copyFileSync(whole.path, path)
    const file = new DatabaseSync(path)
    file.exec(sql)
    file.close()
    return path
  }

  /** The digests of all tables fit, since whoever makes the archive writes them. */
  async function forgedCopy(sql: string): Promise<string> {
    const path = changedCopy(sql)
    const file = openSqliteExclusively(path)
    const tables = await digestTables(file.executor, shapes.all, {
      tenant: whole.tenantId,
      ignored: new Set(),
    })
    await file.close()
    rewriteManifest(path, (manifest) => ({ ...manifest, tables }))
    return path
  }

  async function isRefused(archive: string, error: { kind?: string; message: RegExp }): Promise<void> {
    const state = await dump(target.config.databaseUrl)
    await assert.rejects(scene.import(target, archive), error)
    assert.equal(await dump(target.config.databaseUrl), state)
    assert.deepEqual(
      readdirSync(target.dataDir).filter((name) => name.startsWith('import-')),
      [],
    )
  }
})

const moment = "'2026-01-01T00:00:00.000Z'"

function manyRules(tenantId: string): string {
  return `(tenant_id, id, provider, provider_key, event_type, action, is_active, created_at)
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 101)
    SELECT '${tenantId}', printf('0198c6f0-3d5a-7c31-9a57-%012x', n), 'a', 'a', '*', 'log', 1, ${moment} FROM number`
}

function manyProviders(tenantId: string): string {
  return `(tenant_id, name, scheme, secrets, tolerance_seconds, created_at, updated_at)
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 51)
    SELECT '${tenantId}', 'p' || n, scheme, secrets, 300, ${moment}, ${moment}
    FROM number, (SELECT scheme, secrets FROM webhook_provider WHERE tenant_id = '${tenantId}' LIMIT 1)`
}
