import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ServiceError } from '../../../src/core/errors.ts'
import { isLockFile, lockCatalogue } from '../../../src/database/serving-lock.ts'
import { listTenants } from '../../../src/tenancy/list.ts'
import { createPostgresDatabase, migratedTemplate } from '../../support/databases.ts'
import { contentsOf } from '../../support/process/folder-contents.ts'
import { BackupScene, flipByte, masterKey } from '../data-folder.ts'

describe('A backup', () => {
  let scene: BackupScene
  before(async () => {
    scene = await BackupScene.create()
    assert.equal((await scene.backUp('data', 'copy')).failures, 0)
  })
  after(() => scene[Symbol.asyncDispose]())

  it('has a manifest that says what is there, and no secret', () => {
    const text = readFileSync(scene.path('copy/manifest.json'), 'utf8')
    const { databases, notIncluded, masterKey: fingerprint, version } = JSON.parse(text)
    assert.deepEqual(
      databases.map(({ file, tenants }: { file: string; tenants: string[] }) => [file, tenants]),
      [
        ['catalogue.db', []],
        ['tenants/alpha.db', ['alpha', 'twin']],
        ['tenants/beta.db', ['beta']],
      ],
    )
    assert.deepEqual(notIncluded, [{ tenant: 'gone', reason: 'its database is on PostgreSQL' }])
    assert.equal(databases[0].rows.tenant, 5)
    assert.ok(databases[1].migrations.includes('catalog-0001-create-category-product'))
    assert.equal(databases[1].bytes, statSync(scene.path('copy/tenants/alpha.db')).size)
    assert.equal(version, JSON.parse(readFileSync('package.json', 'utf8')).version)
    assert.match(fingerprint, /^[0-9a-f]{8}$/)
    for (const secret of [masterKey, Buffer.from(masterKey, 'base64').toString('hex'), 'hidden'])
      assert.ok(!text.includes(secret))
    assert.equal(statSync(scene.path('copy')).mode & 0o777, 0o700)
    assert.equal(statSync(scene.path('copy/catalogue.db')).mode & 0o777, 0o600)
  })

  it('is refused with any byte that is not as it was, and nothing is put in place', async () => {
    const damages: [file: string, position: number, complaint: RegExp][] = [
      ['catalogue.db', 5000, /catalogue\.db does not match its digest/],
      ['tenants/beta.db', -1, /beta\.db does not match its digest/],
      ['manifest.json', 20, /manifest\.json is damaged/],
      ['manifest.json', -10, /manifest\.json is damaged/],
    ]
    for (const [file, position, complaint] of damages) {
      cpSync(scene.path('copy'), scene.path('damaged'), { recursive: true })
      flipByte(scene.path('damaged', file), position)
      await assert.rejects(scene.restore('damaged', 'nowhere'), complaint)
      assert.equal(existsSync(scene.path('nowhere')), false)
      rmSync(scene.path('damaged'), { recursive: true })
    }
    cpSync(scene.path('copy'), scene.path('damaged'), { recursive: true })
    rmSync(scene.path('damaged/tenants/alpha.db'))
    await assert.rejects(scene.restore('damaged', 'nowhere'), /alpha\.db is missing/)
  })

  it('is restored under its master key alone', async () => {
    const settings = { MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }
    const complaint = /The backup needs the master key \w{8}\./
    await assert.rejects(scene.restore('copy', 'nowhere', { settings }), complaint)
    assert.equal(existsSync(scene.path('nowhere')), false)
  })

  it('replaces nothing unless it is forced to, and then keeps what was there', async () => {
    const contents = new Map(
      [...contentsOf(scene.path('data'))].filter(([name]) => !isLockFile(basename(name))),
    )
    await assert.rejects(scene.restore('copy', 'data'), /already exists\. --force moves it aside first\./)
    const left = [...contentsOf(scene.path('data'))].filter(([name]) => !isLockFile(basename(name)))
    assert.deepEqual(new Map(left), contents)

    cpSync(scene.path('data'), scene.path('used'), { recursive: true })
    writeFileSync(scene.path('used/tenants/later.db'), '')
    const { aside } = await scene.restore('copy', 'used', { force: true })
    assert.match(aside ?? '', /^replaced-\d+$/)
    assert.deepEqual(readdirSync(scene.path('used', aside ?? '')).toSorted(), ['tenantry.db', 'tenants'])
    assert.deepEqual(
      readdirSync(scene.path('used/tenants')).filter((name) => !isLockFile(name)),
      ['alpha.db', 'beta.db'],
    )
    const { items } = await scene.operate('used', (operator) => listTenants(operator, { limit: null }))
    assert.deepEqual(
      items.map(({ id }) => id),
      ['alpha', 'beta', 'default', 'gone', 'twin'],
    )
  })

  it('is restored under no service that runs, forced or not', async () => {
    const giveBack = lockCatalogue({ kind: 'sqlite', path: scene.path('data/tenantry.db') })
    for (const force of [false, true])
      await assert.rejects(scene.restore('copy', 'data', { force }), /This process serves from \S+ already\./)
    giveBack()
  })

  it('of one tenant puts back its file alone', async () => {
    await scene.backUp('data', 'one', 'ALPHA')
    const names = ['files.sha256', 'manifest.json', 'tenants/alpha.db']
    assert.deepEqual([...contentsOf(scene.path('one')).keys()], names)
    cpSync(scene.path('data'), scene.path('other'), { recursive: true })
    rmSync(scene.path('other/tenants/alpha.db'))
    const beta = contentsOf(scene.path('other')).get('tenants/beta.db')
    await scene.restore('one', 'other')
    assert.ok(existsSync(scene.path('other/tenants/alpha.db')))
    assert.equal(contentsOf(scene.path('other')).get('tenants/beta.db'), beta)
    for (const [id, complaint] of [
      ['default', /There is no tenant default with a database of its own/],
      ['nobody', /There is no tenant nobody with a database of its own/],
      ['gone', /Tenant gone: its database is on PostgreSQL/],
    ] as const) {
      await assert.rejects(scene.backUp('data', 'none', id), complaint)
      assert.equal(existsSync(scene.path('none')), false)
    }
  })

  it('leaves out a damaged file, says which, and does not touch it', async () => {
    cpSync(scene.path('data'), scene.path('worn'), { recursive: true })
    const damaged = scene.path('worn/tenants/alpha.db')
    writeFileSync(damaged, readFileSync(damaged).fill(7, 8192, 16_384))
    const bytes = readFileSync(damaged)
    const { failures, manifest } = await scene.backUp('worn', 'rest')
    assert.equal(failures, 1)
    assert.match(
      manifest.notIncluded[0]?.reason ?? '',
      /^failed: The database file \S+alpha\.db is damaged: /,
    )
    assert.deepEqual(readdirSync(scene.path('rest/tenants')), ['beta.db'])
    assert.deepEqual(readFileSync(damaged), bytes)
    await assert.rejects(scene.backUp('data', 'rest'), /rest is not empty\./)
    await assert.rejects(scene.backUp('data', 'rest/manifest.json/inside'), ServiceError)
  })
})

describe('A backup of a service whose catalogue is on PostgreSQL', () => {
  it('has the files of tenants, and says what else is not in it', async () => {
    const { url, drop } = await createPostgresDatabase(migratedTemplate)
    await using scene = await BackupScene.create(url)
    const { manifest, failures } = await scene.backUp('data', 'copy')
    assert.equal(failures, 0)
    assert.deepEqual(manifest.notIncluded, [
      { tenant: null, reason: 'the catalogue is on PostgreSQL' },
      { tenant: 'gone', reason: 'its database is on PostgreSQL' },
    ])
    const filesIn = (name: string) =>
      [...contentsOf(scene.path(name)).keys()].filter((file) => !isLockFile(basename(file)))
    const files = filesIn('data')
    assert.deepEqual(files, ['tenants/alpha.db', 'tenants/beta.db'])
    await assert.rejects(scene.restore('copy', 'data'), /alpha\.db already exists/)
    rmSync(scene.path('data'), { recursive: true })
    await scene.restore('copy', 'data')
    assert.deepEqual(filesIn('data'), files)
    await drop()
  })
})
