/**
 * What a program needs to show and change the rows of an entity that it does not know in advance, as the console
 * does.
 */
import { type Static, Type } from 'typebox'
import type { LabelsByLanguage } from '../language/language.ts'
import { ActionHints, ConsoleHints, WidgetHint } from './console-hints.ts'

const fieldKinds = [
  'text',
  'integer',
  'money',
  'boolean',
  'date',
  'timestamp',
  'enum',
  'reference',
  'json',
  'sequence',
  'many',
] as const

const scalar = {
  name: Type.String({ description: 'The member of a row', examples: ['customerId'] }),
  label: Type.String({ description: 'Its name in the language asked for', examples: ['Customer'] }),
  kind: Type.Unsafe<(typeof fieldKinds)[number]>({
    type: 'string',
    description: 'What a value is, and how it is shown and given',
    enum: fieldKinds,
    examples: ['reference'],
  }),
  description: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'What the definition says of the field',
    examples: ['Who pays'],
  }),
  isNullable: Type.Boolean({ description: 'Whether the value of a row may be `null`' }),
  isRequired: Type.Boolean({ description: 'Whether a new row needs a value' }),
  isReadOnly: Type.Boolean({ description: 'Whether the caller cannot set it' }),
  isFixed: Type.Optional(
    Type.Boolean({ description: 'Whether a row keeps the value that it got when it was created' }),
  ),
  relation: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The field that names the row of a reference, or the file',
    examples: ['customer'],
  }),
  entity: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The entity of a reference; `file` for a file, `user` for a user',
    examples: ['customer'],
  }),
  fileTypes: Type.Array(Type.String(), {
    description: 'The media types that a file may have',
    examples: [['application/pdf']],
  }),
  defaultValue: Type.Unknown({
    description: 'The value of a new row whose creator gives none; `null` for none',
    examples: [null],
  }),
  words: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The words of an `enum` in the language asked for',
      examples: [{ open: 'open' }],
    }),
  ),
  widget: Type.Optional(WidgetHint),
  isSearched: Type.Optional(Type.Boolean({ description: 'Whether the parameter `search` looks in it' })),
  schema: Type.Unknown({ description: 'The JSON Schema of a value', examples: [{ type: 'string' }] }),
}

const ScalarField = Type.Object(scalar)

export const DescribedField = Type.Object({
  ...scalar,
  fields: Type.Array(ScalarField, { description: 'Of the rows of a `many`' }),
})

const operation = {
  method: Type.String({ description: 'Of the request', examples: ['GET'] }),
  path: Type.String({ description: 'With `:id` for the id of a row', examples: ['/api/products/:id'] }),
  access: Type.String({ description: '`public`, or a permission', examples: ['product:read'] }),
}

const DescribedOperation = Type.Object(operation, { description: 'A request that callers can make' })

export const ActionDescription = Type.Object({
  ...operation,
  name: Type.String({ description: 'The last part of its path', examples: ['send'] }),
  label: Type.String({ description: 'Its name in the language asked for', examples: ['Send'] }),
  summary: Type.String({ description: 'What it does', examples: ['Send an invoice'] }),
  from: Type.Record(Type.String(), Type.Array(Type.Unknown()), {
    description: 'Values of which a row must have one, by member',
    examples: [{ status: ['draft'] }],
  }),
  to: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Values that the row gets, by member, as far as they are known before',
    examples: [{ status: 'sent' }],
  }),
  input: Type.Unknown({ description: 'The JSON Schema of the body; `null` for none', examples: [null] }),
  console: Type.Optional(ActionHints),
})

const operationNames = ['list', 'get', 'create', 'change', 'delete'] as const

export const EntityDescription = Type.Object(
  {
    name: Type.String({ description: 'Unique among the entities', examples: ['product'] }),
    plural: Type.String({ description: 'The name of several', examples: ['products'] }),
    label: Type.String({ description: 'In sentences, in the language asked for', examples: ['product'] }),
    labels: Type.String({ description: 'Likewise, of several', examples: ['products'] }),
    description: Type.String({ description: 'What a row is', examples: ['A product of a tenant.'] }),
    title: Type.String({ description: 'The member by which people recognise a row', examples: ['name'] }),
    defaultColumns: Type.Array(Type.String(), {
      description: 'The members that a list shows at first, in this order',
      examples: [['name', 'isActive', 'categoryId', 'price']],
    }),
    isSearched: Type.Boolean({ description: 'Whether its list has the parameter `search`' }),
    sortedBy: Type.Array(Type.String(), {
      description: 'Members with an index: lists that are sorted by others take longer',
      examples: [['createdAt', 'name']],
    }),
    fields: Type.Array(DescribedField, {
      description:
        'Those that the caller reads, in the order of their declaration, without `id`, `createdAt` and `updatedAt`',
    }),
    operations: Type.Object(
      Object.fromEntries(operationNames.map((name) => [name, Type.Optional(DescribedOperation)])) as Record<
        (typeof operationNames)[number], // the keys of the line above
        Type.TOptional<typeof DescribedOperation>
      >,
      { description: 'Those that callers have' },
    ),
    actions: Type.Array(ActionDescription, { description: 'Those that callers have' }),
    isLive: Type.Boolean({
      description: 'Whether its lists can be followed (`POST /api/live`)',
      examples: [false],
    }),
    hasRights: Type.Boolean({
      description: 'Whether the rights of the caller differ from row to row (`GET …/:id/rights`)',
      examples: [false],
    }),
    hasBulk: Type.Boolean({
      description: 'Whether many rows are created or changed by one request (`POST …/bulk`)',
      examples: [true],
    }),
    hasHistory: Type.Boolean({
      description: 'Whether its rows have versions (`GET …/:id/history`)',
      examples: [true],
    }),
    trashDays: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'How many days deleted rows are listed (`GET …/trash`); `null` if they are not',
      examples: [30],
    }),
    subscriptions: Type.Array(Type.String(), {
      description: 'GraphQL subscriptions that send changed rows',
      examples: [['onProductCreated', 'onProductUpdated']],
    }),
    console: ConsoleHints,
  },
  { $id: 'EntityDescription', description: 'An entity, with what callers can do with its rows.' },
)

export type DescribedField = Static<typeof DescribedField>
export type ActionDescription = Static<typeof ActionDescription>
export type EntityDescription = Static<typeof EntityDescription>

type Draft<T, M extends keyof T> = Omit<T, M> & Partial<Pick<T, M>>
export type ScalarDraft = Draft<Omit<DescribedField, 'fields'>, 'label'>
export type FieldDraft = ScalarDraft & { fields: readonly ScalarDraft[] }

/**
 * A description as a feature states it, in English. Labels that it leaves out are made from the names of the fields.
 */
export interface EntityDraft
  extends Omit<Draft<EntityDescription, 'defaultColumns' | 'console'>, 'fields' | 'actions'> {
  fields: readonly FieldDraft[]
  actions: readonly Draft<ActionDescription, 'label'>[]
  translations?: LabelsByLanguage
}
