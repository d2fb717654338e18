/** Fixtures that the compiler must refuse: each wrong line ends with a comment that names its error. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compilerCommand } from './process/compiler-command.ts'
import { root } from './source.ts'

interface CompilerError {
  path: string
  line: number
  code: string
}

/** @param project a folder with a `tsconfig.json` @throws Error unless the compiler finds errors */
export function compileFixtures(project: string): CompilerError[] {
  const { arguments: words, environment } = compilerCommand('--noEmit', '--pretty', 'false', '-p', project)
  const { stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
  const found = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+)/gm)]
  assert.notEqual(found.length, 0, stdout + stderr)
  return found.map(([, path = '', line, code = '']) => ({ path, line: Number(line), code }))
}

/** @param path of the fixture, from the root of the project */
export function assertRefusals(errors: readonly CompilerError[], path: string): void {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  const expected = lines.flatMap((line, index) => {
    const code = / \/\/ (TS\d+)$/.exec(line)?.[1]
    return code === undefined ? [] : [`${index + 1} ${code}: ${line.trim()}`]
  })
  assert.notEqual(expected.length, 0)
  const actual = errors
    .filter((error) => error.path === path)
    .map(({ line, code }) => `${line} ${code}: ${lines[line - 1]?.trim()}`)
  assert.deepEqual(actual, expected)
}
