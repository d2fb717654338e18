/** What the audit records, in other languages: those of events, or labels of the declaration. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, type Feature, oneOf } from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const loan = entity('loan', {
  fields: { state: oneOf('out', 'back').default('out') },
  actions: { giveBack: { to: { state: 'back' }, event: 'returned' } },
  labels: {
    de: { one: 'Ausleihe', many: 'Ausleihen', gender: 'f', actions: { giveBack: 'Zurückgeben' } },
  },
})

const quiet = entity('quiet', { fields: { state: oneOf('on') }, plural: 'quiets', audit: false })

const own: Feature = {
  name: 'own',
  audited: {
    /** In a language that nothing else has. */
    'own.seen': { summary: 'An own thing was seen', labels: { it: 'Una cosa propria è stata vista' } },
    'own.left': 'An own thing was left',
  },
}

onEitherDatabase('What the audit records, in other languages', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: [...migrated([loan, quiet]), own] })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const summariesIn = async (language: string) => {
    const { body, headers } = await tenant.admin.get(`/api/audit/actions?language=${language}`)
    assert.equal(headers.get('content-language'), language)
    return new Map(body.map(({ action, summary }: Record<string, string>) => [action, summary]))
  }

  it('has the sentences of the events of entities', async () => {
    const german = await summariesIn('de')
    const { body: types } = await tenant.admin.get('/api/webhooks/event-types?language=de')
    const events = types.filter(({ type }: { type: string }) => type.startsWith('loan.'))
    assert.deepEqual(
      events.map(({ type, summary }: Record<string, string>) => [type, summary]),
      ['loan.created', 'loan.deleted', 'loan.returned', 'loan.updated'].map((name) => [
        name,
        german.get(name),
      ]),
    )
    assert.equal(german.get('loan.created'), 'Eine Ausleihe wurde angelegt.')
    assert.equal(german.get('loan.returned'), 'Ausleihe: „Zurückgeben“ wurde ausgeführt.')
    assert.equal(german.has('quiet.created'), false)
  })

  it('has the labels of a declaration, and is English without', async () => {
    const italian = await summariesIn('it')
    assert.equal(italian.get('own.seen'), 'Una cosa propria è stata vista')
    assert.equal(italian.get('own.left'), 'An own thing was left')
    assert.equal(italian.get('loan.returned'), 'A loan was returned.')
    assert.equal((await summariesIn('de')).get('own.seen'), 'An own thing was seen')
  })
})
