/** What `docs/graphql.md` shows is what the gateway answers, and its tables are those of the code. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultLimits } from '../../src/api/graphql/document/limits.ts'
import { codeOfKind, codes } from '../../src/api/graphql/error.ts'
import { errorKinds } from '../../src/core/errors.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'
import { codeSpans, fencedBlocks, readDocument, tableUnder, textOf } from './markdown.ts'
import { assertShown } from './output.ts'
import { makeProductsOfGateway } from './shown-products.ts'

const page = readDocument('docs/graphql.md')
const blocks = fencedBlocks(page)

describe('the page on GraphQL', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService('sqlite')
    tenant = await service.newTenant()
    await makeProductsOfGateway(tenant.user)
  })
  after(() => service.stop())

  const documents = blocks.filter(({ language }) => language === 'graphql')
  for (const [index, { text: query }] of documents.entries()) {
    test(`shows what is answered to its document ${index + 1}`, async () => {
      const shown = blocks.filter(({ language }) => language === 'json')[index]
      assert.ok(shown)
      const variables = JSON.parse(/With the variables `(.*)`/.exec(page)?.[1] ?? '')
      const { text } = await tenant.user.post('/graphql', { query, variables })
      assertShown(shown, text)
    })
  }

  test('lists every code', () => {
    const listed = tableUnder(page, 'Errors').flatMap(([code = '']) => codeSpans(code))
    const ofKinds = ['invalid', 'notFound', 'conflict', 'unavailable', 'internal'] as const
    const expected = [...Object.values(codes), ...ofKinds.map((kind) => codeOfKind(kind))]
    assert.deepEqual(listed.toSorted(), [...new Set(expected)].toSorted())
    assert.ok(ofKinds.every((kind) => kind in errorKinds))
  })

  test('has the limits of the code', () => {
    const { characters, lines, tokens, nesting, definitions, fields, aliases, depth } = defaultLimits
    const { directives, variables, values } = defaultLimits
    const listed = tableUnder(page, 'Limits').map(([number]) => Number(number))
    const sizes = [characters, lines, tokens, nesting, definitions, fields, aliases, depth, directives]
    assert.deepEqual(listed, [...sizes, variables, values])
    assert.ok(textOf(page).includes(`An operation takes ${defaultLimits.timeoutMs / 1000} seconds at most.`))
  })
})
