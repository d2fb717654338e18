/** `console` in definitions: what `GET /api/entities` says of it, to whom, and what the start refuses. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { EntityDescription } from '../../src/core/feature/entity-description.ts'
import { icons } from '../../src/core/feature/icons.ts'
import {
  boolean,
  date,
  entity,
  file,
  integer,
  many,
  money,
  oneOf,
  reference,
  sequence,
  text,
} from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { password, person, startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const owner = entity('owner', {
  fields: { name: text(), canaryTerms: text().optional() },
  access: { fields: { canaryTerms: { read: 'owner:secret' } } },
  console: { related: { boats: { columns: ['name', 'canaryPrice'], sort: '-canaryPrice', create: true } } },
})

const boat = entity('boat', {
  fields: {
    number: sequence(),
    name: text(),
    owner: reference(owner),
    state: oneOf('afloat', 'ashore', 'sunk').default('afloat'),
    dueOn: date().optional(),
    photo: file({ types: ['image/png'] }).optional(),
    story: text({ max: 5000 }).optional(),
    isLeased: boolean().default(false),
    canaryPrice: money().default(0),
    canaryState: oneOf('wanted', 'found').default('found'),
    parts: many({ label: text(), count: integer() }),
  },
  search: ['name'],
  sort: ['createdAt', 'canaryPrice'],
  actions: {
    sink: { from: { state: 'afloat' }, to: { state: 'sunk' }, access: 'admin' },
    raise: { from: { state: 'sunk' }, to: { state: 'afloat' } },
  },
  access: { fields: { canaryPrice: { read: 'boat:secret' }, canaryState: { read: 'boat:secret' } } },
  console: {
    icon: 'ship',
    tint: 'blue',
    group: 'Harbour',
    order: 3,
    title: 'name',
    subtitle: '#{number} · {owner.canaryTerms} · {canaryPrice}',
    image: 'photo',
    list: {
      columns: ['name', 'state', 'owner', 'canaryPrice', 'createdAt'],
      sort: '-canaryPrice',
      group: 'canaryState',
      density: 'compact',
      pageSize: 25,
      views: [
        {
          name: 'Due',
          filter: { state: 'afloat', 'dueOn[lte]': 'today+3' },
          layout: 'board',
          group: 'state',
        },
        { name: 'Calendar', filter: {}, layout: 'calendar', group: 'dueOn' },
        { name: 'canaryFilter', filter: { 'canaryPrice[gt]': 1000 } },
        { name: 'canarySort', filter: {}, sort: '-canaryPrice' },
        { name: 'canaryGroup', filter: {}, layout: 'board', group: 'canaryState' },
      ],
    },
    sections: [
      { title: 'Boat', fields: ['name', 'owner', 'story', 'canaryPrice'] },
      { title: 'canaryOnly', fields: ['canaryPrice', 'canaryState'] },
      { title: 'canaryIf', fields: ['state'], if: { canaryState: 'wanted' }, side: true, folded: true },
    ],
    widgets: { story: 'markdown', canaryPrice: { currency: 'EUR' }, isLeased: 'switch' },
    badges: {
      state: { afloat: 'good', sunk: 'bad' },
      overdue: { if: { 'dueOn[lt]': 'today' }, tone: 'warn' },
      canaryState: { wanted: 'bad' },
      canaryBadge: { if: { canaryState: 'wanted' }, tone: 'bad' },
    },
    actions: { raise: { icon: 'flag', primary: true, undo: 'sink', key: 'r' }, sink: { tone: 'bad' } },
    help: 'A boat of the harbour.',
    home: { figure: 'sum(canaryPrice)', if: { state: 'afloat' } },
  },
})

const plain = entity('plain', {
  fields: {
    note: text({ max: 2000 }).optional(),
    code: text({ max: 20 }),
    count: integer(),
    on: date(),
    boat: reference(boat),
    kind: oneOf('a', 'b'),
    topic: text(),
    memo: text().optional(),
  },
  search: ['topic'],
  console: { icon: { path: 'M4 4h16v16H4z' }, title: 'topic', widgets: { memo: 'multiline' } },
})

onEitherDatabase('Hints for the console', (database) => {
  let service: TestService
  let tenant: TestTenant
  let limited: Client
  before(async () => {
    service = await startService(database, {}, { features: migrated([owner, boat, plain]) })
    tenant = await service.newTenant()
    const permissions = ['owner:read', 'boat:read', 'boat:write', 'plain:read', 'product:read']
    assert.equal((await tenant.admin.post('/api/roles', { name: 'Deckhand', permissions })).status, 201)
    await tenant.admin.post('/api/users', person('deckhand', { roles: ['Deckhand'] }))
    limited = (await service.signIn('deckhand', tenant.id, password)).client
  })
  after(() => service.stop())

  const described = async (name: string, client: Client = tenant.admin): Promise<EntityDescription> => {
    const { status, text: reply, body } = await client.get('/api/entities')
    assert.equal(status, 200, reply)
    const found = body.find((each: EntityDescription) => each.name === name)
    assert.ok(found, name)
    return found
  }

  it('are sent as they are defined, with the names of members', async () => {
    const { console: hints, defaultColumns, title, fields, actions } = await described('boat')
    assert.equal(title, 'name')
    assert.deepEqual(defaultColumns, ['name', 'state', 'ownerId', 'canaryPrice', 'createdAt'])
    assert.deepEqual(
      [hints.icon, hints.tint, hints.group, hints.order, hints.image, hints.help, hints.hidden],
      ['ship', 'blue', 'Harbour', 3, 'photoId', 'A boat of the harbour.', undefined],
    )
    assert.equal(hints.iconPath, icons.ship)
    assert.equal(hints.subtitle, '#{number} · {owner.canaryTerms} · {canaryPrice}')
    assert.deepEqual(hints.list?.views?.[0], {
      name: 'Due',
      label: 'Due',
      filter: { state: 'afloat', 'dueOn[lte]': 'today+3' },
      layout: 'board',
      group: 'state',
    })
    assert.deepEqual(hints.list?.views?.[1], {
      name: 'Calendar',
      label: 'Calendar',
      filter: {},
      layout: 'calendar',
      group: 'dueOn',
    })
    assert.deepEqual(
      [hints.list?.sort, hints.list?.group, hints.list?.density, hints.list?.pageSize],
      ['-canaryPrice', 'canaryState', 'compact', 25],
    )
    assert.deepEqual(hints.sections?.[0]?.fields, ['name', 'ownerId', 'story', 'canaryPrice'])
    assert.deepEqual(hints.badges?.slice(0, 2), [
      { name: 'state', tones: { afloat: 'good', sunk: 'bad' } },
      { name: 'overdue', if: { 'dueOn[lt]': 'today' }, text: 'Overdue', tone: 'warn' },
    ])
    assert.deepEqual(hints.home, { figure: 'sum(canaryPrice)', if: { state: 'afloat' } })
    const widgets = fields.flatMap(({ name, widget }) => (widget === undefined ? [] : [[name, widget]]))
    assert.deepEqual(Object.fromEntries(widgets), {
      story: { kind: 'markdown' },
      canaryPrice: { kind: 'money', currency: 'EUR' },
      isLeased: { kind: 'switch' },
    })
    const raise = actions.find(({ name }) => name === 'raise')
    const drawn = { icon: 'flag', iconPath: icons.flag }
    assert.deepEqual(raise?.console, { ...drawn, primary: true, undo: 'sink', key: 'r' })
    assert.deepEqual((await described('owner')).console.related, [
      { entity: 'boat', by: 'ownerId', columns: ['name', 'canaryPrice'], sort: '-canaryPrice', create: true },
    ])
  })

  it('name nothing that the caller does not read', async () => {
    const { text: reply } = await limited.get('/api/entities')
    assert.equal(/canary/i.exec(reply), null)
    const { console: hints, defaultColumns, actions } = await described('boat', limited)
    assert.deepEqual(defaultColumns, ['name', 'state', 'ownerId', 'createdAt'])
    const { views = [], ...list } = hints.list ?? {}
    assert.deepEqual(list, { density: 'compact', pageSize: 25 })
    assert.deepEqual(
      views.map((view) => view.name),
      ['Due', 'Calendar'],
    )
    assert.deepEqual(
      hints.sections?.map(({ title, fields }) => [title, fields]),
      [['Boat', ['name', 'ownerId', 'story']]],
    )
    assert.deepEqual(
      hints.badges?.map(({ name }) => name),
      ['state', 'overdue'],
    )
    assert.deepEqual([hints.subtitle, hints.home], [undefined, undefined])
    assert.deepEqual(
      actions.map(({ name, console: own }) => [name, own]),
      [['raise', { icon: 'flag', iconPath: icons.flag, primary: true, key: 'r' }]],
    )
    assert.deepEqual((await described('owner', limited)).console.related, [
      { entity: 'boat', by: 'ownerId', columns: ['name'], create: true },
    ])
  })

  it('leave out the rows of entities that the caller may not read', async () => {
    const permissions = ['owner:read', 'boat:secret']
    assert.equal((await tenant.admin.post('/api/roles', { name: 'Visitor', permissions })).status, 201)
    await tenant.admin.post('/api/users', person('visitor', { roles: ['Visitor'] }))
    const { client } = await service.signIn('visitor', tenant.id, password)
    assert.deepEqual((await described('owner', client)).console.related, [])
  })

  it('are not needed: columns begin with the title and what is seen at a glance', async () => {
    const { defaultColumns, console: hints, fields } = await described('plain')
    assert.deepEqual(defaultColumns, ['topic', 'kind', 'boatId', 'on', 'count', 'code'])
    assert.deepEqual(hints, { iconPath: 'M4 4h16v16H4z' })
    assert.deepEqual(
      fields.filter(({ isSearched }) => isSearched).map(({ name }) => name),
      ['topic'],
    )
  })

  it('have filters that lists take', async () => {
    for (const { operations, console: hints } of (await tenant.admin.get('/api/entities'))
      .body as EntityDescription[])
      for (const { filter, sort } of hints.list?.views ?? []) {
        const absolute = Object.entries(filter).map(([key, value]) => [
          key,
          /^(today|now)/.test(value) ? '2026-01-31' : value,
        ])
        const query = new URLSearchParams([...absolute, ...(sort === undefined ? [] : [['sort', sort]])])
        const reply = await tenant.admin.get(`${operations.list?.path}?${query}`)
        assert.equal(reply.status, 200, reply.text)
      }
  })
})
