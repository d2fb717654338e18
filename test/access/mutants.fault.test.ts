/** Each rule, switched off, is noticed: in each kind of statement, in the checks of writes, and beside the statements. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MutantCopy } from './mutant-copy.ts'
import { mutants } from './mutants.ts'

describe('The rules, switched off one by one', () => {
  let copy: MutantCopy
  before(() => {
    copy = new MutantCopy()
  })
  after(() => copy.remove())

  it('are tried with tests that pass otherwise', () => {
    const tests = new Set(mutants.flatMap((mutant) => mutant.tests))
    assert.deepEqual(
      [...tests].flatMap((test) => copy.run(test) ?? []),
      [],
    )
  })

  for (const mutant of mutants)
    it(`are noticed to lack ${mutant.name}`, () => {
      const noticed = copy.try(mutant)
      process.stdout.write(`${mutant.name} | ${noticed.join('; ') || 'NOTHING'}\n`)
      assert.equal(noticed.length, mutant.tests.length, noticed.join())
    })

  it('have no comments, and a rate limit that counts time', () => {
    process.stdout.write('beside 5: comments | there is no feature of comments\n')
    process.stdout.write(
      'beside 6: the RateLimit header | equal for an invisible and an unknown id: attack.test.ts\n',
    )
    assert.ok(mutants.length > 15)
  })
})
