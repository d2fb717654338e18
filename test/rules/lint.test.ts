/** The linter keeps rules of ours as well: its configuration is shown to refuse what they are there to refuse. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../support/source.ts'

const files: Record<string, string> = {
  'src/any.ts': 'export const value: any = 1',
  'src/bang.ts': 'export const first = (list: string[]) => list[0]!',
  'src/console.ts': "export const tell = () => console.log('here')",
  'src/swallow.ts': 'export function tryIt(work: () => void) { try { work() } catch {} }',
  'src/floating.ts': 'async function work(): Promise<void> {}\nexport function start() { work() }',
  'src/switch.ts': "export function rank(size: 's' | 'l') { switch (size) { case 's': return 1 } return 2 }",
  'src/loop-a.ts': "import type { B } from './loop-b.ts'\nexport type A = B | null",
  'src/loop-b.ts': "import type { A } from './loop-a.ts'\nexport type B = A | string",
  'src/product/all.ts': "export * from './product.ts'",
  'src/product/some.ts': "export { getProduct } from './product.ts'",
  'src/product/product.ts': 'export const getProduct = () => null',
  'src/index.ts': "export { getProduct } from './product/product.ts'",
  'src/extension.ts': "import { getProduct } from './product/product'\nexport const get = () => getProduct()",
  'src/development.ts': "import { property } from 'fast-check'\nexport const proved = () => property()",
  'src/undeclared.ts': "import leftPad from 'left-pad'\nexport const pad = () => leftPad('')",
  'src/builtin.ts': "import { join } from 'path'\nexport const path = () => join('a')",
  'src/camelCase.ts': 'export const name = 1',
  'src/cli/tell.ts': "export const tell = () => console.log('here')",
  'test/development.ts': "import { property } from 'fast-check'\nexport const proved = () => property()",
}

const refused = [
  'src/any.ts suspicious/noExplicitAny',
  'src/bang.ts style/noNonNullAssertion',
  'src/builtin.ts style/useNodejsImportProtocol',
  'src/camelCase.ts style/useFilenamingConvention',
  'src/console.ts suspicious/noConsole',
  'src/development.ts correctness/noUndeclaredDependencies',
  'src/extension.ts correctness/useImportExtensions',
  'src/floating.ts nursery/noFloatingPromises',
  'src/loop-a.ts suspicious/noImportCycles',
  'src/loop-b.ts suspicious/noImportCycles',
  'src/product/all.ts performance/noReExportAll',
  'src/product/some.ts performance/noBarrelFile',
  'src/swallow.ts suspicious/noEmptyBlockStatements',
  'src/switch.ts nursery/useExhaustiveSwitchCases',
  'src/undeclared.ts correctness/noUndeclaredDependencies',
]

describe('the linter', () => {
  const found = lint()
  for (const finding of refused)
    test(`refuses ${finding}`, () =>
      assert.ok(found.includes(finding), 'biome.json lets it pass: turn the rule on'))

  test('allows what differs in its place', () => {
    const places = ['src/cli/tell.ts', 'src/index.ts', 'test/development.ts']
    assert.deepEqual(
      found.filter((finding) => places.some((place) => finding.startsWith(place))),
      [],
    )
  })
})

/** @returns `path group/rule` for each finding that fails the gate */
function lint(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-lint-'))
  try {
    for (const name of ['biome.json', 'package.json']) copyFileSync(join(root, name), join(folder, name))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), `${text}\n`)
    }
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const flags = ['--error-on-warnings', '--max-diagnostics=none', '--reporter=github']
    const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...flags], {
      cwd: folder,
      encoding: 'utf8',
    })
    const findings = stdout.matchAll(/^::error title=lint\/([^,]+),file=([^,]+)/gm)
    return [...findings].map(([, rule, path = '']) => `${path.replace(/^.*tenantry-lint-\w+\//, '')} ${rule}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
