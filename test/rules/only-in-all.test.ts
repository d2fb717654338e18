/** What only `npm run test:all` tries is listed with its reason. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { readProjectFile, root } from '../support/source.ts'

const list = 'test/only-in-all.md'
const mechanism = /^test\/(support|rules)\//

test(`${list} has a row for each file with tests of its own in npm run test:all`, () => {
  const listed = [...(readProjectFile(list) ?? '').matchAll(/^\| `(test\/[^`]+)` \| [^|]+ \| [^|]+ \|$/gm)]
  const expected = globSync('test/**/*.ts', { cwd: root }).filter(isOnlyInAll).toSorted()
  assert.notEqual(expected.length, 0)
  const rows = listed.map(([, path = '']) => path)
  const missing = expected.filter((path) => !rows.includes(path))
  const wrong = rows.filter((path) => !expected.includes(path))
  assert.deepEqual(missing, [], `add a row to ${list} that says what the file shows, and why only there`)
  assert.deepEqual(wrong, [], `remove these rows from ${list}`)
})

function isOnlyInAll(path: string): boolean {
  if (mechanism.test(path)) return false
  return path.endsWith('.fault.test.ts') || /\btriesAll\b/.test(readProjectFile(path) ?? '')
}
