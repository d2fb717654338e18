/** Fixtures that the compiler must refuse: each wrong line ends with a comment that names its error. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilerCommand } from './process/compiler-command.ts'
import { root } from './source.ts'

/** @param fixture a folder with a `tsconfig.json` @param name of the file in it */
export function assertRefusals(fixture: string, name: string): void {
  const file = `${fixture}/${name}`
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  const expected = lines.flatMap((line, index) => {
    const code = / \/\/ (TS\d+)$/.exec(line)?.[1]
    return code === undefined ? [] : [`${index + 1} ${code}: ${line.trim()}`]
  })
  assert.notEqual(expected.length, 0)
  const actual = errorsIn(fixture, file).map(
    ({ line, code }) => `${line} ${code}: ${lines[line - 1]?.trim()}`,
  )
  assert.deepEqual(actual, expected)
}

interface CompilerError {
  line: number
  code: string
}

function errorsIn(fixture: string, file: string): CompilerError[] {
  const { arguments: words, environment } = compilerCommand('--noEmit', '--pretty', 'false', '-p', fixture)
  const { stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
  const found = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+)/gm)]
  assert.notEqual(found.length, 0, stdout + stderr)
  return found
    .filter(([, path]) => path === file)
    .map(([, , line, code]) => ({ line: Number(line), code: code ?? '' }))
}
