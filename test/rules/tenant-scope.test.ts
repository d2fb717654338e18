/** The compiler refuses a query on a tenant's table that no tenant restricts. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../support/source.ts'

const fixture = 'test/rules/fixtures/tenant-scope'
const file = `${fixture}/queries.ts`

test('a query that no tenant restricts does not compile', () => {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  const expected = lines.flatMap((line, index) => {
    const code = / \/\/ (TS\d+)$/.exec(line)?.[1]
    return code === undefined ? [] : [`${index + 1} ${code}: ${line.trim()}`]
  })
  const actual = compile().map(({ line, code }) => `${line} ${code}: ${lines[line - 1]?.trim()}`)
  assert.deepEqual(actual, expected)
})

interface CompilerError {
  line: number
  code: string
}

function compile(): CompilerError[] {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, '--noEmit', '--pretty', 'false', '-p', fixture],
    { cwd: root, encoding: 'utf8' },
  )
  const found = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+)/gm)]
  assert.notEqual(found.length, 0, stdout + stderr)
  return found
    .filter(([, path]) => path === file)
    .map(([, , line, code]) => ({ line: Number(line), code: code ?? '' }))
}
