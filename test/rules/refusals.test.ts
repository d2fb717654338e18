/** The compiler refuses what an application, a feature and the console must not be able to write. */
import { describe, test } from 'node:test'
import { assertRefusals, compileFixtures } from '../support/compiler.ts'

describe('What makes no sense does not compile', () => {
  const errors = compileFixtures('test/rules/fixtures')

  test('a query on the table of a tenant that no tenant restricts', () => {
    assertRefusals(errors, 'test/rules/fixtures/tenant-scope/queries.ts')
  })

  test('a query on rows of tenants and users in the catalogue with another reach', () => {
    assertRefusals(errors, 'test/rules/fixtures/tenant-scope/catalogue.ts')
  })

  test('a definition that makes no sense, nor a row that does not match it', () => {
    assertRefusals(errors, 'test/rules/fixtures/entity/definitions.ts')
  })

  test('a dictionary of the console that lacks a text of the others', () => {
    assertRefusals(errors, 'test/rules/fixtures/console/text.ts')
  })
})
