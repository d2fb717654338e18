/** What npm makes executable is so in the repository: an installation or a build leaves the checkout as it was. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readProjectFile, root } from '../support/source.ts'

test('the commands of the package are committed as executable files', {
  skip: !existsSync(join(root, '.git')) && 'this is no checkout',
}, () => {
  const { bin } = JSON.parse(readProjectFile('package.json') ?? '') as { bin: Record<string, string> }
  const files = Object.values(bin)
  assert.notEqual(files.length, 0)
  for (const file of files) {
    const staged = execFileSync('git', ['ls-files', '--stage', '--', file], { cwd: root, encoding: 'utf8' })
    assert.equal(staged.split(' ')[0], '100755', `${file}: run git update-index --chmod=+x ${file}`)
  }
})
