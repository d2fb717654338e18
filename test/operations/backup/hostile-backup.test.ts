/** A backup made by somebody else: its digests match, because its author writes them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { digestedText } from '../../../src/operations/backup/file.ts'
import { listTenants } from '../../../src/tenancy/list.ts'
import { BackupScene } from '../data-folder.ts'

interface Entry {
  migrations?: string[]
  file: string
  tenants: string[]
  bytes: number
  sha256: string
}

describe('A hostile backup', () => {
  let scene: BackupScene
  before(async () => {
    scene = await BackupScene.create()
    assert.equal((await scene.backUp('data', 'copy')).failures, 0)
  })
  after(() => scene[Symbol.asyncDispose]())

  /** @param change of the entry of one file */
  const forge = (file: string, change: (entry: Entry) => Entry): void => {
    const path = scene.path('forged/manifest.json')
    const { sha256: _digest, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
    const changed = manifest.databases.map((entry: Entry) => (entry.file === file ? change(entry) : entry))
    writeFileSync(path, digestedText({ ...manifest, databases: changed }))
  }
  const copy = (): void => {
    rmSync(scene.path('forged'), { recursive: true, force: true })
    cpSync(scene.path('copy'), scene.path('forged'), { recursive: true })
  }
  /** Changes a file, and its digest in the manifest. */
  const rewrite = (file: string, sql: string): void => {
    const path = scene.path('forged', file)
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
    forge(file, (entry) => ({ ...entry, bytes: statSync(path).size, sha256 }))
  }

  for (const file of ['../out.db', 'tenants/../../out.db', '/tmp/out.db', 'tenants/.hidden', 'other.db']) {
    it(`leads to no file outside of its folder: ${file}`, async () => {
      copy()
      forge('tenants/beta.db', (entry) => ({ ...entry, file }))
      await assert.rejects(scene.restore('forged', 'nowhere'), /is damaged, or of another version/)
      assert.equal(existsSync(scene.path('nowhere')), false)
    })
  }

  for (const tenant of ['../../x', '..', '', '.uploads', 'a/b']) {
    it(`leads to no folder but those of tenants: ${JSON.stringify(tenant)}`, async () => {
      copy()
      forge('tenants/beta.db', (entry) => ({ ...entry, tenants: [tenant] }))
      await assert.rejects(scene.restore('forged', 'nowhere'), /is damaged, or of another version/)
      assert.equal(existsSync(scene.path('nowhere')), false)
    })
  }

  it('writes nothing to a terminal that moves its cursor', async () => {
    copy()
    forge('tenants/beta.db', (entry) => ({ ...entry, migrations: ['\u001b[2Jorder-0001'] }))
    await assert.rejects(scene.restore('forged', 'nowhere'), /is damaged, or of another version/)
    assert.equal(existsSync(scene.path('nowhere')), false)
  })

  it('is not taken for whole when tables were added, or rows do not count as the manifest says', async () => {
    const changes: [sql: string, complaint: RegExp][] = [
      [
        'CREATE TABLE evil (tenant_id TEXT PRIMARY KEY)',
        /its table evil differs from what this service creates/,
      ],
      ['DELETE FROM migration', /its rows are not those of the manifest/],
    ]
    for (const [sql, complaint] of changes) {
      copy()
      rewrite('tenants/beta.db', sql)
      await assert.rejects(scene.restore('forged', 'partly'), complaint)
      rmSync(scene.path('partly'), { recursive: true, force: true })
    }
  })

  it('may have pages of another size', async () => {
    copy()
    for (const file of ['catalogue.db', 'tenants/alpha.db', 'tenants/beta.db'])
      rewrite(file, 'PRAGMA journal_mode = DELETE; PRAGMA page_size = 65536; VACUUM')
    await scene.restore('forged', 'restored')
    const tenants = await scene.operate('restored', (operator) => listTenants(operator, { limit: null }))
    assert.equal(tenants.items.length, 5)
  })
})
