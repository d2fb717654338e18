import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, it } from 'node:test'
import { executable, project, Workplace } from '../support/process/workplace.ts'

const older = olderNode()

describe('The executable under an older Node.js', () => {
  it('says in one line which one is needed, whatever it is asked', {
    skip: older === null && 'there is no older Node.js',
  }, async () => {
    await using place = new Workplace()
    for (const words of [[], ['--version'], ['serve']]) {
      const { code, stdout, stderr } = await place.runProcess(words, { command: [older ?? '', executable] })
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.match(stderr, /^Tenantry needs Node\.js 24\.7 or newer; this is \d+\.\d+\.\d+\. [^\n]+\n$/)
    }
  })

  it('asks for the version that the package asks for', () => {
    const { engines } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    const [, wanted] = /Node\.js ([\d.]+) or newer/.exec(readFileSync(executable, 'utf8')) ?? []
    assert.equal(engines.node, `>=${wanted}`)
  })
})

/** The machine's own, not the one that the project has pinned. */
function olderNode(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const candidates = folders
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
  return candidates.find((path) => isOlder(execFileSync(path, ['--version'], { encoding: 'utf8' }))) ?? null
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  return major < 24 || (major === 24 && minor < 7)
}
