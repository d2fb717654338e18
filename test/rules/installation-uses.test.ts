/** Whoever reaches the rows of all tenants stands in a list, with the reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathsIn, readProjectFile } from '../support/source.ts'

const list = 'docs/security/installation-wide-reads.md'
const call = /\binstallation\(\s*[^,()]+(?:\([^()]*\))?,\s*'([^']+)',?\s*\)/g

test(`${list} has a row for each use of the installation's handle, and there are fewer than forty`, () => {
  const used = pathsIn('src').flatMap((path) => {
    const text = readProjectFile(path) ?? ''
    return [...text.matchAll(call)].map(([, why]) => `| \`${path}\` | ${why} |`)
  })
  const listed = (readProjectFile(list) ?? '').split('\n').filter((line) => line.startsWith('| `src/'))
  assert.ok(used.length > 10)
  const mend = (rows: string[]) => rows.join('\n')
  assert.equal(mend(used.filter((row) => !listed.includes(row))), '', `add these rows to ${list}`)
  assert.equal(mend(listed.filter((row) => !used.includes(row))), '', `remove these rows from ${list}`)
  assert.ok(used.length < 40, `${used.length} uses: reach the rows of a tenant through context.catalogue`)
})
