/** A copy of the sources in which rules are switched off. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/source.ts'
import type { AccessMutant } from './mutants.ts'

/** What a test needs of the project. */
const copied = [
  'src',
  'test/access',
  'test/api/search',
  'test/entity',
  'test/support',
  'package.json',
  'tsconfig.json',
  'test/run.ts',
]
const linked = ['node_modules', 'assets', 'bin', 'dist', 'templates', 'build', 'docs']

export class MutantCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tenantry-access-'))

  constructor() {
    for (const path of copied) cpSync(join(root, path), join(this.#folder, path), { recursive: true })
    for (const path of linked) symlinkSync(join(root, path), join(this.#folder, path))
  }

  /** @returns the tests that noticed, each with the first line of what it says */
  try({ file, edits, tests }: AccessMutant): string[] {
    const path = join(this.#folder, file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, edited(source, edits))
    try {
      return tests.flatMap((test) => this.run(test) ?? [])
    } finally {
      writeFileSync(path, source)
    }
  }

  /** @returns `null` when the test passes */
  run(test: string): string | null {
    const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', test], {
      cwd: this.#folder,
      encoding: 'utf8',
      timeout: 120_000,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TEST_SEED: '1' },
    })
    if (status === 0) return null
    const what = /^\s*(?:\+ +')?(.* by \w+: .*)$|^\s*not ok \d+ - (.*)$/m.exec(stdout)
    return `${test}: ${(what?.[1] ?? what?.[2] ?? 'failed').slice(0, 120)}`
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** @throws Error for a text that the source does not have once */
export function edited(source: string, edits: AccessMutant['edits']): string {
  return edits.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`The source does not have this once: ${from}`)
    return text.replace(from, () => to)
  }, source)
}
