/** Damaged and foreign archives are refused, and nothing changes. */
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { dump } from '../../support/database/inspect.ts'
import type { TestService } from '../../support/service.ts'
import type { Victim } from '../../support/victim.ts'
import { flipByte } from '../data-folder.ts'
import { ArchiveScene } from './installations.ts'
import { rewriteManifest } from './rewrite-manifest.ts'

describe('An archive', () => {
  let scene: ArchiveScene
  let source: TestService
  let target: TestService
  let tenant: Victim
  let archive: string
  before(async () => {
    scene = new ArchiveScene()
    ;({ source, target, tenant, archive } = await scene.passage('sqlite'))
  })
  after(() => scene[Symbol.asyncDispose]())

  it('reads a file that is its owner’s alone, with nothing beside it, and leaves it as it is', async () => {
    assert.equal(statSync(archive).mode & 0o777, 0o600)
    const names = readdirSync(dirname(archive)).filter((name) => name.startsWith('archive-'))
    assert.deepEqual(names, [archive.slice(dirname(archive).length + 1)])
    await assert.rejects(scene.export(source, tenant.id, { to: archive }), /already exists/)
    await assert.rejects(scene.export(source, 'default'), /The host tenant belongs to this installation/)
    await assert.rejects(scene.export(source, 'nobody'), /There is no such tenant/)
    assert.deepEqual(readdirSync(dirname(archive)).length, 1)
  })

  it('refuses an archive with any byte that matters changed, wherever it is', async () => {
    const bytes = readFileSync(archive)
    const places = [
      ...[bytes.indexOf('"exportedAt"'), bytes.indexOf('$argon2id$') + 20],
      ...[0, 17, 4096 + 3],
    ]
    for (const place of places) {
      assert.ok(place >= 0)
      await isRefused((path) => flipByte(path, place), /damaged/)
    }
    // A copy in the unused part of a page does not matter; that of the row does.
    for (const text of ['tenant.created', tenant.names.productName]) {
      await isRefused((path) => {
        for (let place = bytes.indexOf(text); place >= 0; place = bytes.indexOf(text, place + 1))
          flipByte(path, place)
      }, /damaged/)
    }
    await isRefused((path) => truncateSync(path, Math.floor(bytes.length / 2)), /damaged/)
    await isRefused((path) => truncateSync(path, bytes.length - 4096), /damaged/)
    await isRefused(
      (path) => writeFileSync(path, 'no database'),
      /is not an archive of a tenant, or is damaged/,
    )
    await assert.rejects(scene.import(target, scene.path()), /There is no file /)
  })

  it('refuses one in which somebody has changed, added or removed a row', async () => {
    const changes: [sql: string, complaint: RegExp][] = [
      ['UPDATE product SET price = price + 1', /the rows of product do not match their digests/],
      ["UPDATE account SET roles = 'Admin'", /the rows of account do not/],
      ['DELETE FROM sales_order_item', /the rows of sales_order_item do not/],
      ["UPDATE webhook_receipt SET tenant_id = 'other'", /the rows of webhook_receipt do not/],
      ["INSERT INTO order_count SELECT 'x', 1; UPDATE order_count SET last = 9", /the rows of order_count/],
      ["UPDATE tenant SET plan = 'gold'", /its tenant is not that of its manifest/],
      ['DROP TABLE tenant_audit', /its table tenant_audit differs from what this service creates/],
      [
        "DELETE FROM migration WHERE name = 'catalog-0001-create-category-product'",
        /it has other migrations/,
      ],
      ["UPDATE manifest SET content = replace(content, 'pro', 'PRO')", /manifest (does not match|cannot be)/],
      ['DELETE FROM manifest', /is not an archive of a tenant/],
    ]
    for (const [sql, complaint] of changes)
      await isRefused((path) => {
        const file = new DatabaseSync(path, { enableForeignKeyConstraints: false })
        file.exec(sql)
        file.close()
      }, complaint)
  })

  it('refuses one of a newer version by its name', async () => {
    await isRefused(
      (path) => rewriteManifest(path, (manifest) => ({ ...manifest, format: 2, version: '9.8.7' })),
      /was exported by Tenantry 9\.8\.7; this is .* Import it with that version, or a newer one/,
    )
    await isRefused((path) => {
      const migrations = (names: string[]) => [...names, 'zebra-0001']
      rewriteManifest(path, (manifest) => ({
        ...manifest,
        version: '9.8.7',
        migrations: migrations(manifest['migrations'] as string[]), // as it is written
      }))
    }, /9\.8\.7.*tables of unknown features \(zebra-0001\)\. Run the command line of the application/)
  })

  it('refuses one whose master key is not here, and says what to do', async () => {
    const stranger = await scene.installation('sqlite')
    await assert.rejects(
      scene.import(stranger, archive),
      /needs the master key \w{8}\. The settings have \w{8}\. Add .* to PREVIOUS_MASTER_KEYS first/,
    )
    assert.equal((await stranger.host.get(`/api/tenants/${tenant.id}`)).status, 404)
  })

  /** @param damage done to a copy */
  async function isRefused(damage: (path: string) => void, complaint: RegExp): Promise<void> {
    const copy = scene.path()
    cpSync(archive, copy)
    damage(copy)
    const given = readFileSync(copy)
    const state = await dump(target.config.databaseUrl)
    await assert.rejects(scene.import(target, copy), complaint)
    assert.ok(readFileSync(copy).equals(given), 'the archive is not as it was')
    assert.equal(await dump(target.config.databaseUrl), state)
    assert.deepEqual(
      readdirSync(target.dataDir).filter((name) => name.startsWith('import-')),
      [],
    )
    rmSync(copy)
  }
})
