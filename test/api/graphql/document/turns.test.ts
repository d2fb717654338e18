/** Documents that are new to the service are prepared in turn, whoever sent how many of them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { atAnyCost, startService, type TestService, uniqueName } from '../../../support/service.ts'

const sent = 60

onEitherDatabase('A burst of new documents', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, atAnyCost)
  })
  after(() => service.stop())

  let documents = 0
  /** Takes some milliseconds to prepare. */
  const unknown = () =>
    `{ products(where: { or: [${'{ name: { eq: "x" } } '.repeat(90)}] }) { id a${documents++}: name } }`

  const prepare = async (address: string): Promise<void> => {
    const reply = await service.anonymous.post(
      '/graphql',
      { query: unknown() },
      { 'x-forwarded-for': address },
    )
    assert.equal(reply.body.errors, undefined, reply.text)
  }

  it('of one network makes another network wait for its turn, not for the burst', async () => {
    await prepare('198.51.100.1')
    let answered = 0
    const burst = Array.from({ length: sent }, async () => {
      await prepare('192.0.2.1')
      answered++
    })
    await prepare('198.51.100.1')
    assert.ok(answered < sent / 2, `${answered} of ${sent} were answered before`)
    await Promise.all(burst)
  })

  it('of strangers makes a user wait for a turn, not for the burst', async () => {
    const { user } = await service.newTenant()
    let answered = 0
    const burst = Array.from({ length: sent }, async (_each, index) => {
      await prepare(`192.0.2.${index}`)
      answered++
    })
    const reply = await user.post('/graphql', {
      query: `{ ${uniqueName('name').replaceAll('-', '_')}: __typename }`,
    })
    assert.equal(reply.status, 200)
    assert.ok(answered < sent / 2, `${answered} of ${sent} were answered before`)
    await Promise.all(burst)
  })
})
