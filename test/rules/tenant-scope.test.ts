/** The compiler refuses a query on a tenant's table that no tenant restricts. */
import { test } from 'node:test'
import { assertRefusals } from '../support/compiler.ts'

test('a query that no tenant restricts does not compile', () => {
  assertRefusals('test/rules/fixtures/tenant-scope', 'queries.ts')
})
