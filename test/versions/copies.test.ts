/** Backups and archives of former versions are refused, with what to do instead, and nothing is made of them. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runHere } from '../support/process/run-here.ts'
import { project } from '../support/process/workplace.ts'
import { readCopies, readExpected, unpackFolder, versionNames } from './fixture.ts'

const refusal =
  /(archive|catalogue)\.db was written before version 0\.2\.0, the first release\. Restore or import it with the version that has written it, and start this version on its data folder\./

for (const version of versionNames())
  describe(`Of version ${version}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-copies-'))
    const dataDir = join(folder, 'data')
    const { masterKey, application } = readExpected(version, 'sqlite')
    const environment = { DATA_DIR: dataDir, MASTER_KEY: masterKey }
    const run = (...words: string[]) =>
      runHere(words, { environment, folder: join(project, application ?? '') })
    before(() => unpackFolder(readCopies(version), folder))
    after(() => rmSync(folder, { recursive: true }))

    it('a backup is refused', async () => {
      const { code, stderr } = await run('restore', '--from', join(folder, 'backup'))
      assert.equal(code, 1)
      assert.match(stderr, refusal)
      assert.equal(existsSync(join(dataDir, 'tenantry.db')), false)
    })

    it('an archive is refused', async () => {
      assert.equal((await run('migrate')).code, 0)
      const { code, stderr } = await run('tenant', 'import', join(folder, 'archive.db'))
      assert.equal(code, 1)
      assert.match(stderr, refusal)
      assert.doesNotMatch((await run('tenant', 'list')).stdout, /acme/)
    })
  })
