/** The document says which lists are refused to a caller who has read much: those that charge for the read. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { type Operation, operationsOf, readOpenApi } from '../../support/http/openapi-document.ts'
import { startService, type TestService } from '../../support/service.ts'

/** A bucket that is empty after one costly request, and stays so. */
const small = { units: 1, windowSeconds: 100_000 }
/** What makes a list costly: no index serves a count. */
const costly = 'count=true&limit=1'

onEitherDatabase('A caller who has spent all cost units', (database) => {
  let service: TestService
  let operations: Map<string, Operation>
  before(async () => {
    service = await startService(database, {}, { costPolicies: { user: small, tenant: small } })
    operations = operationsOf(await readOpenApi(service.anonymous))
  })
  after(() => service.stop())

  it('is refused costly reads, which the document says of each', async () => {
    const lists = [...operations].filter(
      ([name, { parameters }]) => name.startsWith('GET ') && parameters.some((each) => each.name === 'count'),
    )
    const addresses = new Map(
      lists.map(([name]) => [name, `${name.slice('GET '.length).replaceAll(/[{}]/g, '')}?${costly}`]),
    )
    addresses.set('GET /graphql', '/graphql?query={__typename}')
    // A new tenant, because a read that was quick for a tenant before costs nothing.
    const { admin } = await service.newTenant()
    await admin.post('/graphql', { query: `{ ${'products { id } '.repeat(40)} }` })
    const refused: string[] = []
    for (const [name, address] of addresses) if ((await admin.get(address)).status === 429) refused.push(name)
    assert.ok(refused.length > 10, refused.join())
    assert.deepEqual(
      refused.filter((name) => operations.get(name)?.responses['429'] === undefined),
      [],
    )
  })
})
