/** The files of tenants in a backup: those that its rows name, with their contents, and nothing else. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { backUpAll, restoreAll } from '../../../src/cli/backup.ts'
import { SecretBox } from '../../../src/core/encryption/secret-box.ts'
import { forTenant } from '../../../src/core/tenant/each-tenant.ts'
import { openForInspection } from '../../../src/database/open.ts'
import { isLockFile } from '../../../src/database/serving-lock.ts'
import type { DatabaseTarget } from '../../../src/database/target.ts'
import { storeFolder } from '../../../src/files/create-files.ts'
import { deleteFile } from '../../../src/files/file.ts'
import { backUp } from '../../../src/operations/backup/backup.ts'
import { readContentList } from '../../../src/operations/backup/content-list.ts'
import { digestedText } from '../../../src/operations/backup/file.ts'
import { postgresOptions } from '../../../src/service/parts.ts'
import { pdf } from '../../support/files/contents.ts'
import { contentsOf } from '../../support/process/folder-contents.ts'
import { BackupScene, flipByte } from '../data-folder.ts'
import {
  count,
  digestOf,
  filesWithContents,
  fileTenants,
  insertFileRow,
  strays,
  upload,
} from './tenant-files.ts'

type Manifest = Record<string, unknown> & { files?: object }

const missingId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

describe('Files of tenants in a backup', () => {
  let scene: BackupScene
  /** In the data folder `data`, by tenant. */
  const ids = new Map<string, string>()
  before(async () => {
    scene = await BackupScene.create()
    await scene.operate('data', async (operator) => {
      for (const tenant of fileTenants) ids.set(tenant, await upload(operator, tenant, `kept by ${tenant}`))
    })
    // Rows of alpha in the database that it used before, as a move leaves them for a while.
    insertFileRow(scene.path('data/tenantry.db'), 'alpha', missingId)
    const { failures, failedFiles } = await scene.backUp('data', 'copy')
    assert.deepEqual([failures, failedFiles], [0, 0])
  })
  after(() => scene[Symbol.asyncDispose]())

  const idOf = (tenant: string): string => ids.get(tenant) ?? ''
  const inDamagedCopy = async (damage: () => void, complaint: RegExp): Promise<void> => {
    cpSync(scene.path('copy'), scene.path('damaged'), { recursive: true })
    damage()
    await assert.rejects(scene.restore('damaged', 'nowhere'), complaint)
    assert.equal(existsSync(scene.path('nowhere')), false)
    rmSync(scene.path('damaged'), { recursive: true })
  }
  /** Replaces the list, and its digest in the manifest: what somebody else could do. */
  const forgeList = (folder: string, change: (lines: string[]) => string[]): void => {
    const path = scene.path(folder, 'files.sha256')
    const lines = change(readFileSync(path, 'utf8').trimEnd().split('\n'))
    const text = lines.map((line) => `${line}\n`).join('')
    writeFileSync(path, text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    changeManifest(scene.path(folder), (manifest) => ({
      ...manifest,
      files: { ...manifest.files, count: lines.length, sha256 },
    }))
  }

  it('are those that the rows of its tenants name, where their rows are now', () => {
    const listed = readFileSync(scene.path('copy/files.sha256'), 'utf8').trimEnd().split('\n')
    assert.deepEqual(
      listed,
      fileTenants
        .map((tenant) => ({ tenant, content: pdf(`kept by ${tenant}`) }))
        .toSorted((one, other) => (one.tenant < other.tenant ? -1 : 1))
        .map(({ tenant, content }) => `${digestOf(content)}  files/${tenant}/${idOf(tenant)}`),
    )
    assert.deepEqual(
      [...contentsOf(scene.path('copy/files')).keys()],
      fileTenants.map((tenant) => `${tenant}/${idOf(tenant)}`).toSorted(),
    )
    const { files } = JSON.parse(readFileSync(scene.path('copy/manifest.json'), 'utf8'))
    const bytes = fileTenants.reduce((sum, tenant) => sum + pdf(`kept by ${tenant}`).length, 0)
    assert.deepEqual([files.count, files.bytes], [fileTenants.length, bytes])
  })

  it('are restored with them', async () => {
    await scene.restore('copy', 'restored')
    assert.equal(await filesWithContents(scene, 'restored'), fileTenants.length)
  })

  it('have every content that a row names, whatever is uploaded and deleted meanwhile', async () => {
    cpSync(scene.path('data'), scene.path('busy'), { recursive: true })
    const content = (tenant: string, id: string) => scene.path('busy/files', tenant, id)
    await scene.operate('busy', async (operator) => {
      const { store } = operator.shared.files
      const config = scene.config('busy')
      let added = ''
      const meanwhile = async (): Promise<void> => {
        // The catalogue is copied, the own databases are not.
        for (const tenant of ['default', 'alpha'])
          await forTenant(operator, tenant, (context) => deleteFile(context, idOf(tenant)))
        added = await upload(operator, 'default', 'added')
        await upload(operator, 'beta', 'added')
        const removal = store.removeTenant('beta')
        await assert.rejects(removal, /A backup is copying the files\. Try again after it\./)
      }
      const inspect = async (target: DatabaseTarget) => {
        if (added === '') await meanwhile()
        return openForInspection(target, postgresOptions(config))
      }
      const { masterKey, dataDir, databaseUrl } = config
      const source = {
        dataDir,
        secretBox: new SecretBox(masterKey),
        contents: storeFolder(config),
        inspect,
        shared: { kind: 'sqlite', path: databaseUrl.slice('sqlite:'.length) } as const,
      }
      const { manifest, failures, failedFiles } = await backUp(source, { to: scene.path('busy-copy') })
      assert.deepEqual([failures, failedFiles], [0, 0])
      assert.equal(manifest.files?.count, 4, 'default has the deleted one, and beta one more')
      assert.deepEqual(readdirSync(scene.path('busy-copy/files/default')), [idOf('default')])
      assert.ok(existsSync(content('default', idOf('default'))), 'the backup has kept it')
      assert.ok(existsSync(content('alpha', idOf('alpha'))), 'the backup has kept it')
      assert.deepEqual(await strays(operator, 'default'), [idOf('default')], 'the sweep finds it')

      await forTenant(operator, 'default', (context) => deleteFile(context, added))
      assert.equal(existsSync(content('default', added)), false, 'nothing is kept after the backup')
    })
    await scene.restore('busy-copy', 'busy-restored')
    assert.equal(await filesWithContents(scene, 'busy-restored'), 4)
  })

  it('are refused if one is damaged, missing or not in the list, and nothing is changed', async () => {
    const path = (...names: string[]) => scene.path('damaged', ...names)
    const content = () => path('files/beta', idOf('beta'))
    await inDamagedCopy(() => flipByte(content(), 3), /files\/beta\/\S+ does not match its digest/)
    await inDamagedCopy(() => rmSync(content()), /files\/beta\/\S+ is missing/)
    await inDamagedCopy(() => flipByte(path('files.sha256'), 70), /files\.sha256 does not match its digest/)
    await inDamagedCopy(() => rmSync(path('files.sha256')), /files\.sha256 cannot be read/)
  })

  it('lead to no file outside of the folder, and none is there twice', async () => {
    const digest = digestOf(pdf())
    const id = idOf('beta')
    for (const line of [
      `${digest}  files/../outside/${id}`,
      `${digest}  files/../../${id}`,
      `${digest}  /tmp/outside/${id}`,
      `${digest}  files/.uploads/${id}`,
      `${digest}  files/beta/nested/${id}`,
      `${digest}  files/beta/../../tenantry.db`,
      `${digest}  files/beta/${id}\0`,
      `${digest.toUpperCase()}  files/beta/${id}`,
      `${digest} *files/beta/${id}`,
      '',
    ])
      await inDamagedCopy(() => forgeList('damaged', () => [line]), /files\.sha256 is damaged, or of another/)
    const read = async () => {
      for await (const content of readContentList(scene.path('copy'), { sha256: digest })) assert.ok(content)
    }
    await assert.rejects(read, /files\.sha256 has changed meanwhile/)
    const twice = (lines: string[]) => lines.flatMap((line) => [line, line])
    await inDamagedCopy(() => forgeList('damaged', twice), /files\.sha256 is damaged, or of another version/)
  })

  it('of one tenant replace its folder, and no other tenant is in the list', async () => {
    await scene.backUp('data', 'one', 'beta')
    assert.deepEqual(
      [...contentsOf(scene.path('one')).keys()],
      [`files/beta/${idOf('beta')}`, 'files.sha256', 'manifest.json', 'tenants/beta.db'].toSorted(),
    )
    cpSync(scene.path('data'), scene.path('other'), { recursive: true })
    const later = await scene.operate('other', (operator) => upload(operator, 'beta', 'later'))
    const alpha = contentsOf(scene.path('other/files/alpha'))
    await assert.rejects(scene.restore('one', 'other'), /already exists\. --force moves it aside first/)
    const { aside } = await scene.restore('one', 'other', { force: true })
    assert.deepEqual(readdirSync(scene.path('other/files/beta')), [idOf('beta')])
    assert.deepEqual(
      readdirSync(scene.path('other', aside ?? '', 'files/beta')).toSorted(),
      [idOf('beta'), later].toSorted(),
    )
    assert.deepEqual(contentsOf(scene.path('other/files/alpha')), alpha)

    cpSync(scene.path('one'), scene.path('forged'), { recursive: true })
    mkdirSync(scene.path('forged/files/alpha'))
    writeFileSync(scene.path('forged/files/alpha', idOf('alpha')), pdf('forged'))
    const foreign = `${digestOf(pdf('forged'))}  files/alpha/${idOf('alpha')}`
    forgeList('forged', (lines) => [foreign, ...lines])
    const refusal = scene.restore('forged', 'other', { force: true })
    await assert.rejects(refusal, /files\.sha256 names a tenant that is not in the backup/)
    assert.deepEqual(contentsOf(scene.path('other/files/alpha')), alpha)
  })

  it('of one tenant are those of all tenants in its database', async () => {
    const { manifest } = await scene.backUp('data', 'pair', 'alpha')
    assert.deepEqual(
      manifest.databases.map(({ tenants }) => tenants),
      [['alpha', 'twin']],
    )
    assert.deepEqual(
      [...contentsOf(scene.path('pair/files')).keys()],
      [`alpha/${idOf('alpha')}`, `twin/${idOf('twin')}`],
    )
  })

  it('of a tenant that has moved stay as they are, because its rows name them', async () => {
    cpSync(scene.path('data'), scene.path('moved'), { recursive: true })
    const later = await scene.operate('moved', (operator) => upload(operator, 'beta', 'later'))
    const catalogue = new DatabaseSync(scene.path('moved/tenantry.db'))
    catalogue.exec("UPDATE tenant SET connection_string = NULL WHERE id = 'beta'")
    catalogue.close()
    const { aside } = await scene.restore('one', 'moved', { force: true })
    assert.deepEqual(readdirSync(scene.path('moved/files/beta')).toSorted(), [idOf('beta'), later].toSorted())
    assert.equal(existsSync(scene.path('moved', aside ?? '', 'files')), false)
  })

  it('are not in an older backup, which is restored without them', async () => {
    cpSync(scene.path('copy'), scene.path('older'), { recursive: true })
    rmSync(scene.path('older/files'), { recursive: true })
    rmSync(scene.path('older/files.sha256'))
    changeManifest(scene.path('older'), ({ files: _files, ...manifest }) => manifest)
    await scene.restore('older', 'from-older')
    assert.equal(existsSync(scene.path('from-older/files')), false)
    assert.equal(await scene.operate('from-older', (operator) => count(operator)), fileTenants.length)
  })

  it('that are missing or damaged do not stop the others, and their tenants are named', async () => {
    cpSync(scene.path('data'), scene.path('worn'), { recursive: true })
    rmSync(scene.path('worn/files/default', idOf('default')))
    flipByte(scene.path('worn/files/beta', idOf('beta')), 5)
    const { manifest, failures, failedFiles } = await scene.backUp('worn', 'rest')
    assert.deepEqual([failures, failedFiles, manifest.files?.count], [0, 2, 2])
    const reasons = new Map(manifest.notIncluded.map(({ tenant, reason }) => [tenant, reason]))
    assert.match(reasons.get('default') ?? '', /^failed: 1 of its files, first [0-9a-f-]{36}: ENOENT: /)
    assert.match(reasons.get('beta') ?? '', /^failed: 1 of its files, first \S+ its content is damaged$/)
    assert.equal(existsSync(scene.path('rest/files/beta', idOf('beta'))), false)
    await scene.restore('rest', 'from-rest')
    const restored = [...contentsOf(scene.path('from-rest/files')).keys()]
    assert.deepEqual(
      restored.filter((name) => !isLockFile(name)),
      [`alpha/${idOf('alpha')}`, `twin/${idOf('twin')}`],
    )
  })

  it('stay in the store of FILES_URL, which the backup says, and are not restored beside it', async () => {
    const settings = {
      FILES_URL: 's3://bucket?endpoint=http://127.0.0.1:1',
      FILES_ACCESS_KEY_ID: 'id',
      FILES_SECRET_ACCESS_KEY: 'secret',
    }
    const { manifest } = await backUpAll(scene.config('data', settings), { to: scene.path('remote') })
    assert.equal(manifest.files, undefined)
    assert.deepEqual(manifest.notIncluded.at(-1), {
      tenant: null,
      reason: 'files are in the store of FILES_URL',
    })
    assert.deepEqual(readdirSync(scene.path('remote')).toSorted(), [
      'catalogue.db',
      'manifest.json',
      'tenants',
    ])
    await restoreAll(scene.config('from-remote', settings), { from: scene.path('remote') })
    await scene.operate('fileless', async () => undefined)
    await scene.backUp('fileless', 'without-files')
    await restoreAll(scene.config('from-fileless', settings), { from: scene.path('without-files') })
    const refusal = restoreAll(scene.config('nowhere', settings), { from: scene.path('copy') })
    await assert.rejects(refusal, /The backup has files, but FILES_URL names another store\./)
    assert.equal(existsSync(scene.path('nowhere')), false)
  })
})

function changeManifest(folder: string, change: (manifest: Manifest) => object): void {
  const path = join(folder, 'manifest.json')
  const { sha256: _digest, ...manifest }: Manifest & { sha256: string } = JSON.parse(
    readFileSync(path, 'utf8'),
  )
  writeFileSync(path, digestedText(change(manifest)))
}
