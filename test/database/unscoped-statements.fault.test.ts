/** Each statement of a tenant or a user, with the reach of the installation instead: the types refuse every one. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { countStatements, type Mutant, tryUnscoped } from './unscoped-statements.ts'

describe('a statement that has lost its tenant', () => {
  let mutants: Mutant[] = []
  before(async () => {
    mutants = await tryUnscoped()
    for (const { file, name, refusedBy } of mutants)
      process.stdout.write(`${file} ${name}: ${refusedBy ?? 'NOTHING'}\n`)
  })

  it('is looked for everywhere', () => {
    const found = mutants.filter(({ file }) => file.startsWith('statements/'))
    assert.ok(found.length > 30)
    assert.equal(found.length, countStatements())
  })

  it('is refused by the types', () => {
    const accepted = mutants.filter(({ refusedBy }) => refusedBy === null)
    assert.deepEqual(
      accepted.map(({ file, name }) => `${file} ${name}`),
      [],
      'these run with the reach of the installation, and nothing refuses it',
    )
  })
})
