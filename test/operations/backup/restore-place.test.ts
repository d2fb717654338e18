/** A backup may be in the data folder, and a restore that was interrupted is continued by the same backup only. */
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isLockFile } from '../../../src/database/serving-lock.ts'
import { contentsOf } from '../../support/process/folder-contents.ts'
import { BackupScene } from '../data-folder.ts'

describe('A restore', () => {
  let scene: BackupScene
  before(async () => {
    scene = await BackupScene.create()
    assert.equal((await scene.backUp('data', 'data/backups/first')).failures, 0)
  })
  after(() => scene[Symbol.asyncDispose]())

  const contents = (...names: string[]) =>
    new Map([...contentsOf(scene.path(...names))].filter(([name]) => !isLockFile(basename(name))))

  it('leaves the backup in the data folder where it is, and replaces the rest', async () => {
    const backup = contents('data/backups/first')
    const { aside } = await scene.restore('data/backups/first', 'data', { force: true })
    assert.deepEqual(contents('data/backups/first'), backup)
    assert.deepEqual(readdirSync(scene.path('data', aside ?? '')).toSorted(), ['tenantry.db', 'tenants'])
  })

  it('refuses a backup that is the data folder itself', async () => {
    await scene.backUp('data', 'same')
    await assert.rejects(scene.restore('same', 'same', { force: true }), /same is the data folder itself\./)
  })

  it('deletes nothing of a folder in which the restore of another backup was interrupted', async () => {
    await scene.backUp('data', 'whole')
    await scene.backUp('data', 'one', 'alpha')
    writeFileSync(scene.path('data/restore-unfinished'), `filling\n${'0'.repeat(64)}\n`)
    const present = contents('data')
    for (const force of [false, true])
      await assert.rejects(
        scene.restore('one', 'data', { force }),
        /restore of another backup into \S+data was/,
      )
    await assert.rejects(scene.restore('whole', 'data'), /already exists\. --force moves it aside first\./)
    assert.deepEqual(contents('data'), present)
    const { aside } = await scene.restore('whole', 'data', { force: true })
    assert.ok(contents('data', aside ?? '').has('tenantry.db'))
    assert.equal(contents('data').has('restore-unfinished'), false)
  })
})
