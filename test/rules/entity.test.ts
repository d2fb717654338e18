/** The compiler refuses definitions, and rows, that make no sense. */
import { test } from 'node:test'
import { assertRefusals } from '../support/compiler.ts'

test('a definition that makes no sense does not compile, nor a row that does not match it', () => {
  assertRefusals('test/rules/fixtures/entity', 'definitions.ts')
})
