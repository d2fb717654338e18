/** Names in other languages: of entities, permissions and events, by `language` and `Accept-Language`. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { EntityDescription } from '../../src/core/feature/entity-description.ts'
import { entity, type Feature, many, money, oneOf, text } from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const loan = entity('loan', {
  description: 'What is lent.',
  fields: {
    dueOn: text().describe('When it comes back'),
    state: oneOf('IN_USE', 'backAgain').default('IN_USE'),
    lines: many({ unitPrice: money() }),
  },
  actions: { giveBack: { to: { state: 'backAgain' }, event: 'returned', access: 'admin' } },
  sort: ['state'],
  access: { rows: ({ row }) => row.state.is('IN_USE'), create: 'admin' },
  console: {
    group: 'Library',
    help: 'Ask at the desk.',
    sections: [{ title: 'Loan', fields: ['dueOn'], description: 'What is out.' }],
    list: { views: [{ name: 'Out', filter: { state: 'IN_USE' } }] },
    badges: { late: { if: { state: 'IN_USE' }, tone: 'warn' } },
    actions: { giveBack: { confirm: 'Is it whole?' } },
  },
  labels: {
    en: { one: 'book loan', many: 'book loans', fields: { dueOn: 'Back on' } },
    de: {
      one: 'Ausleihe',
      many: 'Ausleihen',
      gender: 'f',
      description: 'Was verliehen ist.',
      fields: { dueOn: 'Zurück am', 'lines.unitPrice': 'Einzelpreis' },
      words: { state: { IN_USE: 'verliehen' } },
      actions: { giveBack: 'Zurückgeben' },
      sections: { Loan: 'Ausleihe' },
      views: { Out: 'Verliehen' },
      badges: { late: 'Verspätet' },
      texts: {
        Library: 'Bücherei',
        'Ask at the desk.': 'Fragen Sie an der Ausleihe.',
        'What is out.': 'Was unterwegs ist.',
        'Is it whole?': 'Ist es unversehrt?',
        'When it comes back': 'Wann es zurückkommt',
      },
    },
    es: { one: 'préstamo', many: 'préstamos' },
  },
})

const shelf = entity('shelf', { plural: 'shelves', fields: { place: text() } })

/** Names that every object has, which the types of labels refuse. */
const inherited = entity('inherited', {
  fields: { state: oneOf('toString', 'constructor') },
  actions: { hasOwnProperty: { to: { state: 'constructor' }, access: 'admin', event: 'owned' } },
  labels: {
    de: {
      one: 'Erbe',
      many: 'Erben',
      gender: 'm',
      words: { state: { constructor: 'Erbauer' } },
      actions: {},
    },
  },
} as unknown as Parameters<typeof entity>[1])

const own: Feature = {
  name: 'own',
  permissions: {
    'own:read': { description: 'See own things', role: 'User', labels: { de: 'Eigenes sehen' } },
  },
}

onEitherDatabase('Names in other languages', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: [...migrated([loan, shelf, inherited]), own] })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const reply = (path: string, accepted?: string) =>
    tenant.admin.get(path, accepted === undefined ? {} : { 'accept-language': accepted })
  const described = async (name: string, query = '', accepted?: string): Promise<EntityDescription> => {
    const { status, text: content, body } = await reply(`/api/entities${query}`, accepted)
    assert.equal(status, 200, content)
    return body.find((each: EntityDescription) => each.name === name)
  }

  it('are those of the definition', async () => {
    const {
      label,
      labels,
      description,
      fields,
      actions,
      console: hints,
    } = await described('loan', '?language=de')
    assert.deepEqual([label, labels, description], ['Ausleihe', 'Ausleihen', 'Was verliehen ist.'])
    assert.deepEqual(
      fields.map((field) => [field.label, field.words, field.description]),
      [
        ['Zurück am', undefined, 'Wann es zurückkommt'],
        ['State', { IN_USE: 'verliehen', backAgain: 'back again' }, null],
        ['Lines', undefined, null],
      ],
    )
    assert.deepEqual(
      fields[2]?.fields.map((field) => field.label),
      ['Einzelpreis'],
    )
    assert.deepEqual([actions[0]?.label, actions[0]?.console?.confirm], ['Zurückgeben', 'Ist es unversehrt?'])
    assert.deepEqual([hints.group, hints.help], ['Bücherei', 'Fragen Sie an der Ausleihe.'])
    assert.deepEqual(
      [hints.sections?.[0]?.title, hints.sections?.[0]?.description],
      ['Ausleihe', 'Was unterwegs ist.'],
    )
    assert.deepEqual(
      [hints.list?.views?.[0]?.name, hints.list?.views?.[0]?.label, hints.badges?.[0]?.text],
      ['Out', 'Verliehen', 'Verspätet'],
    )
  })

  it('are English where there are no others, made of the names if the definition has none', async () => {
    const { label, labels, fields, actions, console: hints } = await described('loan')
    assert.deepEqual([label, labels], ['book loan', 'book loans'])
    assert.deepEqual(
      fields.map((field) => [field.label, field.words]),
      [
        ['Back on', undefined],
        ['State', { IN_USE: 'in use', backAgain: 'back again' }],
        ['Lines', undefined],
      ],
    )
    assert.deepEqual(
      [actions[0]?.label, hints.group, hints.badges?.[0]?.text],
      ['Give back', 'Library', 'Late'],
    )
    const french = await described('loan', '?language=fr')
    assert.deepEqual([french.label, french.fields[0]?.label], ['book loan', 'Back on'])
    assert.equal((await described('shelf', '?language=de')).label, 'shelf')
  })

  it('are none that every object has', async () => {
    const { fields, actions } = await described('inherited', '?language=de')
    assert.deepEqual(
      fields.map((field) => [field.label, field.words]),
      [['State', { toString: 'to string', constructor: 'Erbauer' }]],
    )
    assert.equal(actions[0]?.label, 'Has own property')
    const { body } = await reply('/api/permissions', 'de')
    const permission = body.find(({ name }: { name: string }) => name === 'inherited:hasOwnProperty')
    assert.equal(permission.description, 'Erben: Has own property')
  })

  it('are in the language that the parameter names, else in the first accepted one', async () => {
    const label = async (query: string, accepted?: string) => (await described('loan', query, accepted)).label
    assert.deepEqual(
      [
        await label('', 'de'),
        await label('', 'fr;q=0.2, de-CH;q=0.8'),
        await label('', 'it, es;q=0.5'),
        await label('', 'it'),
        await label('', '*'),
        await label('', 'x'.repeat(5000)),
        await label('?language=de-AT', 'es'),
        await label('?language=ja', 'es'),
      ],
      ['Ausleihe', 'Ausleihe', 'préstamo', 'book loan', 'book loan', 'book loan', 'Ausleihe', 'book loan'],
    )
    for (const path of [
      '/api/entities',
      '/api/permissions',
      '/api/webhooks/event-types',
      '/api/audit/actions',
    ]) {
      assert.equal((await reply(`${path}?language=no+tag`)).status, 400, path)
      const { headers } = await reply(path, 'de')
      assert.equal(headers.get('content-language'), 'de', path)
      assert.ok(headers.get('vary')?.includes('accept-language'), path)
    }
  })

  it('have a tag for each language', async () => {
    const tagOf = async (accepted: string) =>
      (await reply('/api/entities', accepted)).headers.get('etag') ?? ''
    const german = await tagOf('de')
    assert.notEqual(german, await tagOf('en'))
    const again = (accepted: string) =>
      tenant.admin.get('/api/entities', { 'accept-language': accepted, 'if-none-match': german })
    const unchanged = await again('de')
    assert.equal(unchanged.status, 304)
    assert.ok(unchanged.headers.get('vary')?.includes('accept-language'))
    assert.equal((await again('en')).status, 200)
  })

  it('make sentences of permissions and events', async () => {
    const permissions = async (language: string) => {
      const { body } = await reply('/api/permissions', language)
      return new Map(body.map(({ name, description }: Record<string, string>) => [name, description]))
    }
    const [english, german, french] = [
      await permissions('en'),
      await permissions('de'),
      await permissions('fr'),
    ]
    const names = [
      'loan:read',
      'loan:write',
      'loan:create',
      'loan:all',
      'loan:giveBack',
      'own:read',
      'shelf:read',
    ]
    assert.deepEqual(
      names.map((name) => german.get(name)),
      [
        'Ausleihen lesen',
        'Ausleihen anlegen, ändern und löschen',
        'Ausleihen anlegen',
        'Auf alle Ausleihen zugreifen',
        'Ausleihen: Zurückgeben',
        'Eigenes sehen',
        'See shelves',
      ],
    )
    assert.deepEqual(
      names.map((name) => english.get(name)),
      [
        'See book loans',
        'Create, change and delete book loans',
        'Create book loans',
        'Reach all book loans',
        'Give back book loans',
        'See own things',
        'See shelves',
      ],
    )
    assert.deepEqual(
      ['product:read', 'order:write'].map((name) => [german.get(name), french.get(name)]),
      [
        ['Produkte lesen', 'Lire les produits'],
        [
          'Bestellungen aufgeben, ändern, bezahlen und stornieren',
          'Passer, modifier, payer et annuler des commandes',
        ],
      ],
    )
    const { body } = await reply('/api/webhooks/event-types?language=de')
    const events = new Map(body.map(({ type, summary }: Record<string, string>) => [type, summary]))
    assert.deepEqual(
      ['loan.created', 'loan.returned', 'category.deleted', 'order.paid', 'shelf.created'].map((type) =>
        events.get(type),
      ),
      [
        'Eine Ausleihe wurde angelegt.',
        'Ausleihe: „Zurückgeben“ wurde ausgeführt.',
        'Eine Kategorie wurde gelöscht.',
        'Eine Bestellung wurde als bezahlt markiert.',
        'A shelf was created.',
      ],
    )
  })

  it('of settings are in their definitions, with the schemas of values', async () => {
    const { body, headers } = await tenant.admin.get('/api/tenant/settings/definitions?language=fr')
    const { schema, ...timeZone } = body.find(({ name }: { name: string }) => name === 'timeZone')
    assert.deepEqual(timeZone, {
      name: 'timeZone',
      label: 'Fuseau horaire',
      isPublic: true,
      isForHost: false,
      defaultValue: 'UTC',
    })
    assert.deepEqual([schema.type, schema.maxLength], [['string', 'null'], 64])
    assert.equal(headers.get('content-language'), 'fr')
    const english = await tenant.admin.get('/api/tenant/settings/definitions')
    const logo = english.body.find(({ name }: { name: string }) => name === 'brandLogoUrl')
    assert.equal(logo.label, 'Address of the logo')
    assert.deepEqual(
      english.body.map(({ name }: { name: string }) => name),
      Object.keys((await tenant.admin.get('/api/tenant/settings')).body),
    )
    assert.equal((await tenant.user.get('/api/tenant/settings/definitions')).status, 403)
  })

  it('of settings and errors are in the OpenAPI document', async () => {
    const { body } = await tenant.admin.get('/swagger/v1/swagger.json')
    const { timeZone } = body.components.schemas.TenantSettings.properties
    assert.deepEqual(timeZone['x-labels'], { de: 'Zeitzone', fr: 'Fuseau horaire' })
    assert.equal(body.components.responses.NotFound['x-labels'].notFound.de, 'Nicht gefunden.')
  })
})
