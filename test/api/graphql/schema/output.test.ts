/** Objects of an application's own fields: nested, in lists, and refused at the start if they have no type. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TSchema, Type } from 'typebox'
import type { Feature } from '../../../../src/core/feature/feature.ts'
import { type GraphQLPart, objectMutation } from '../../../../src/core/feature/field.ts'
import { Nullable, Uuid } from '../../../../src/core/schema/schema.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

const Coordinates = Type.Object(
  { latitude: Type.Number(), longitude: Type.Number() },
  { $id: 'Coordinates', description: 'A place on earth.' },
)

const Parcel = Type.Object(
  {
    id: Uuid,
    label: Type.Optional(Type.String()),
    target: Coordinates,
    source: Nullable(Coordinates),
    // Without a name of their own.
    sender: Type.Object({ name: Type.String(), kind: Type.Enum(['PERSON', 'COMPANY']) }),
    stops: Type.Array(Type.Object({ at: Coordinates, notes: Type.Array(Type.String()) })),
    routes: Type.Optional(Type.Array(Type.Array(Coordinates))),
    cause: Type.Union([Type.String(), Type.Number(), Type.Null()]),
    extra: Type.Record(Type.String(), Type.Unknown()),
  },
  { $id: 'Parcel' },
)

const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const paris = { latitude: 48.85, longitude: 2.35 }
const oslo = { latitude: 59.91, longitude: 10.75 }

const parcel = {
  id,
  target: paris,
  source: null,
  sender: { name: 'Ada', kind: 'PERSON' },
  stops: [
    { at: oslo, notes: ['fragile', 'late'] },
    { at: paris, notes: [] },
  ],
  routes: [[oslo, paris], []],
  cause: 7,
  extra: { a: [1] },
}

const CoordinatesInput = Type.Object(Coordinates.properties, { $id: 'CoordinatesInput' })
const ParcelInput = Type.Object({ target: CoordinatesInput }, { $id: 'ParcelInput' })

const parcelFeature: Feature = {
  name: 'parcel',
  graphql: {
    queries: {
      parcel: { kind: 'object', type: Parcel, description: 'A parcel.', read: async () => parcel },
      lost: {
        kind: 'object',
        type: Parcel,
        description: 'A parcel that lacks a member.',
        read: async () => ({ ...parcel, sender: { name: null, kind: 'PERSON' } }),
      },
    },
    mutations: {
      sendParcel: objectMutation({
        description: 'Sends a parcel.',
        type: Parcel,
        args: { input: ParcelInput },
        impersonation: 'allowed',
        run: async (_inside, { input }) => ({ ...parcel, label: 'sent', target: input.target }),
      }),
    },
  },
}

onEitherDatabase('An object of a field', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: [parcelFeature] })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const ask = async (query: string, variables: object = {}) =>
    (await tenant.user.post('/graphql', { query, variables })).body

  it('has objects, and lists of objects, at any depth', async () => {
    const { data, errors } = await ask(`{ parcel {
      __typename id label where: target { ...Place } source { ...Place } sender { __typename name kind }
      stops { __typename notes at { lat: latitude } } routes { longitude } cause extra
    } } fragment Place on Coordinates { __typename latitude longitude }`)
    assert.equal(errors, undefined, JSON.stringify(errors))
    assert.deepEqual(data.parcel, {
      __typename: 'Parcel',
      id,
      label: null,
      where: { __typename: 'Coordinates', ...paris },
      source: null,
      sender: { __typename: 'ParcelSender', name: 'Ada', kind: 'PERSON' },
      stops: [
        { __typename: 'ParcelStop', notes: ['fragile', 'late'], at: { lat: oslo.latitude } },
        { __typename: 'ParcelStop', notes: [], at: { lat: paris.latitude } },
      ],
      routes: [[{ longitude: oslo.longitude }, { longitude: paris.longitude }], []],
      cause: 7,
      extra: { a: [1] },
    })
  })

  it('is the result of a mutation', async () => {
    const { data } = await ask(
      'mutation ($input: ParcelInput!) { sendParcel(input: $input) { label target { latitude } } }',
      { input: { target: oslo } },
    )
    assert.deepEqual(data.sendParcel, { label: 'sent', target: { latitude: oslo.latitude } })
  })

  it('is an error of its field if a member that may not be null is', async () => {
    const { data, errors } = await ask('{ lost { sender { name } } }')
    assert.equal(data, null)
    assert.deepEqual(errors[0].path, ['lost'])
  })

  it('has a type in the schema, with what may be null', async () => {
    const { data } = await ask(
      '{ __type(name: "Parcel") { fields { name type { kind name ofType { name } } } } }',
    )
    type Described = { name: string; type: { kind: string; name: string; ofType: { name: string } | null } }
    const types = Object.fromEntries(
      data.__type.fields.map(({ name, type }: Described) => [
        name,
        type.kind === 'NON_NULL' ? `${type.ofType?.name ?? 'list'}!` : (type.name ?? 'list'),
      ]),
    )
    assert.deepEqual(types, {
      id: 'UUID!',
      label: 'String',
      target: 'Coordinates!',
      source: 'Coordinates',
      sender: 'ParcelSender!',
      stops: 'list!',
      routes: 'list',
      cause: 'JSON',
      extra: 'JSON!',
    })
  })
})

describe('A schema of GraphQL that is not valid', () => {
  const start = (graphql: GraphQLPart) =>
    startService('sqlite', {}, { features: [{ name: 'faulty', graphql }] })

  const object = (type: TSchema): GraphQLPart => ({
    queries: { faulty: { kind: 'object', type, description: '', read: async () => ({}) } },
  })

  const faults: [what: string, part: GraphQLPart, reason: RegExp][] = [
    [
      'a name that GraphQL does not allow',
      object(Type.Object({ 'first-name': Type.String() }, { $id: 'Faulty' })),
      /first-name/,
    ],
    [
      'an object without members',
      object(Type.Object({}, { $id: 'Faulty' })),
      /Faulty must define one or more fields/,
    ],
    [
      'an object that is an input as well',
      {
        ...object(Type.Object({ place: Coordinates }, { $id: 'Faulty' })),
        mutations: {
          place: objectMutation({
            description: '',
            type: Parcel,
            args: { input: Coordinates },
            run: async () => parcel,
          }),
        },
      },
      /The GraphQL type Coordinates would be both/,
    ],
  ]
  for (const [what, part, reason] of faults)
    it(`ends the start: ${what}`, () => assert.rejects(start(part), reason))
})
