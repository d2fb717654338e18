/** Errors quote long input in few words, and documents evict only older ones of about their size from caches. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { recorderOf } from '../../../support/graphql/statement-recorder.ts'
import { sharedService, type TestService } from '../../../support/service.ts'

const suggestion = /Did you mean/

describe('Long documents and variables', () => {
  let service: TestService
  before(async () => {
    service = await sharedService('sqlite')
  })
  after(() => service.stop())

  const messagesOf = async (query: string, variables: object = {}): Promise<string[]> => {
    const { body } = await service.anonymous.post('/graphql', { query, variables })
    return body.errors.map(({ message }: { message: string }) => message)
  }

  it('get no suggestions for the names in a document, which short ones do', async () => {
    const misspelled = '{ product { id } }'
    const [short = ''] = await messagesOf(misspelled.replace('id', 'nme'))
    assert.match(short, suggestion)
    const [long = ''] = await messagesOf(misspelled.replace('id', `nme${' '.repeat(10_000)}`))
    assert.match(long, /Cannot query field "nme"/)
    assert.doesNotMatch(long, suggestion)
  })

  it('are told of one fault in variables, without suggestions', async () => {
    const query = 'query ($where: ProductFilterInput) { products(where: $where) { id } }'
    const misspelled = { nme: 1, prce: 2 }
    const short = await messagesOf(query, { where: misspelled })
    assert.equal(short.length, 2)
    for (const message of short) assert.match(message, suggestion)
    const long = await messagesOf(query, { where: { ...misspelled, ['a'.repeat(10_000)]: 3 } })
    assert.equal(long.length, 2, 'the fault, and that there are more')
    for (const message of long) assert.doesNotMatch(message, suggestion)
  })

  it('take the place of no short document that is kept ready', async () => {
    const { prepare } = await recorderOf(service, await service.newTenant())
    const short = await prepare('{ __typename }')
    for (let index = 0; index < 10; index++) await prepare(`{ a${index}: __typename ${' '.repeat(90_000)} }`)
    assert.equal(await prepare('{ __typename }'), short)
  })

  /** The longest of each cache; `memory.fault.test.ts` looks at the memory of a process. */
  for (const [what, padding, capacity] of [
    ['short', 9900, 39],
    ['long', 90_000, 2],
  ] as const) {
    it(`are kept ready within a bound, those that are ${what} too: the oldest goes`, async () => {
      const { prepare } = await recorderOf(service, await service.newTenant())
      const documentOf = (index: number) => `{ a${index}: __typename ${' '.repeat(padding)} }`
      const oldest = await prepare(documentOf(0))
      for (let index = 1; index < capacity; index++) await prepare(documentOf(index))
      assert.equal(await prepare(documentOf(0)), oldest)
      for (let index = 1; index <= capacity; index++) await prepare(documentOf(index))
      assert.notEqual(await prepare(documentOf(0)), oldest)
    })
  }
})
