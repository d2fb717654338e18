import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mutantsOf, mutated } from './mutants.ts'

const cases: Record<string, [source: string, mutants: string[]]> = {
  'exchanges an operator': ['const a = b === c', ['const a = b !== c']],
  'exchanges a bound': ['const a = b < c', ['const a = b <= c']],
  'exchanges a junction': ['const a = b && c', ['const a = b || c']],
  'leaves text and types alone': ["const a: B | C = 'd + e'", []],
  'negates a condition': ['if (a) b', ['if (!(a)) b']],
  'negates a choice': ['const a = b ? c : d', ['const a = !(b) ? c : d']],
  'forgets to await': ['const a = await b()', ['const a = b()']],
  'leaves out a line': ['a()\nb.c = d', [';\nb.c = d', 'a()\n;']],
}

for (const [title, [source, expected]] of Object.entries(cases)) {
  test(title, () =>
    assert.deepEqual(
      mutantsOf('a.ts', source).map((mutant) => mutated(source, mutant)),
      expected,
    ),
  )
}
