/** The mutants of the rules of rows follow the sources. Whether tests notice them is tried by `npm run faults`. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { edited } from '../access/mutant-copy.ts'
import { mutants } from '../access/mutants.ts'
import { root } from '../support/source.ts'

it('Each mutant changes its source', () => {
  for (const { name, file, edits } of mutants) {
    const source = readFileSync(join(root, file), 'utf8')
    assert.notEqual(edited(source, edits), source, `${name}: change test/access/mutants.ts as well`)
  }
})
