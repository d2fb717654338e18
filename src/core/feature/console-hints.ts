/** How the console shows the rows of an entity, as `GET /api/entities` says it. Every member may be absent. */
import { type Static, type TSchema, Type } from 'typebox'
import { StringEnum } from '../schema/schema.ts'
import { type IconName, iconNames } from './icons.ts'

export const tints = ['iris', 'green', 'amber', 'red', 'blue', 'neutral'] as const
export const tones = ['good', 'warn', 'bad', 'info', 'neutral'] as const
export const densities = ['compact', 'normal', 'comfortable'] as const
export const layouts = ['table', 'board', 'calendar'] as const
export const widgetKinds = [
  'multiline',
  'markdown',
  'email',
  'url',
  'phone',
  'color',
  'chips',
  'segments',
  'switch',
  'money',
  'percent',
  'bytes',
  'duration',
  'json',
  'code',
  'secret',
] as const

export type Tint = (typeof tints)[number]
export type Tone = (typeof tones)[number]
export type Density = (typeof densities)[number]
export type ListLayout = (typeof layouts)[number]
export type WidgetKind = (typeof widgetKinds)[number]

function word<T extends string>(values: readonly T[], description: string) {
  return StringEnum(values, { description, examples: [values[0]] })
}

const icon = word<IconName>(iconNames, 'The name of an icon of Lucide')
const iconPath = Type.String({
  description: 'The icon, named or of its own, as a path (SVG), 24 units wide and high, drawn as a line',
  examples: ['M4 4h16v16H4z'],
})
const tone = word(tones, 'What it means')
const members = (description: string) => Type.Array(Type.String(), { description, examples: [['number']] })

const condition = (description: string) =>
  Type.Record(Type.String(), Type.String(), {
    description: `${description}: parameters of the list. The value of a day or a moment may be \`today\` or \`now\`, with days as in \`today-7\``,
    examples: [{ status: 'open' }],
  })

export const WidgetHint = Type.Object(
  {
    kind: word(widgetKinds, 'The control'),
    currency: Type.Optional(Type.String({ description: 'Of `money`: ISO 4217', examples: ['EUR'] })),
  },
  { description: 'How a value is shown and given, beyond its kind' },
)

const View = Type.Object({
  name: Type.String({ description: 'Unique within the entity', examples: ['Open'] }),
  label: Type.String({ description: 'The name in the language asked for', examples: ['Open'] }),
  filter: condition('Which rows it has'),
  sort: optional(Type.String({ description: 'As the parameter `sort`', examples: ['-createdAt'] })),
  layout: optional(word(layouts, 'How the rows are arranged')),
  group: optional(
    Type.String({
      description:
        'The member by which they are grouped: an enum for a board, a day or a moment for a calendar',
      examples: ['status'],
    }),
  ),
})

const ListHints = Type.Object(
  {
    sort: optional(Type.String({ description: 'The order at first', examples: ['-createdAt'] })),
    density: optional(word(densities, 'The height of rows at first')),
    views: optional(Type.Array(View, { description: 'Named filters' })),
    group: optional(
      Type.String({ description: 'The member by which rows are grouped', examples: ['status'] }),
    ),
    pageSize: optional(Type.Integer({ description: 'Rows of a page', examples: [50] })),
  },
  { description: 'How the list begins' },
)

const Section = Type.Object({
  title: Type.String({ description: 'In the language asked for', examples: ['Request'] }),
  description: optional(
    Type.String({ description: 'A sentence below the title', examples: ['What is asked.'] }),
  ),
  fields: members('The members that it shows'),
  side: optional(Type.Boolean({ description: 'Whether it stands beside the others' })),
  folded: optional(Type.Boolean({ description: 'Whether it is closed at first' })),
  if: optional(condition('Of which rows it is shown')),
})

const Badge = Type.Object({
  name: Type.String({ description: 'A member with words, or a name of its own', examples: ['status'] }),
  tones: optional(
    Type.Record(Type.String(), tone, { description: 'By word of the member', examples: [{ open: 'info' }] }),
  ),
  if: optional(condition('Which rows have it')),
  text: optional(Type.String({ description: 'In the language asked for', examples: ['Overdue'] })),
  tone: optional(tone),
})

const Related = Type.Object({
  entity: Type.String({
    description: 'The name of the entity whose rows refer to this one',
    examples: ['comment'],
  }),
  by: Type.String({ description: 'The member of theirs that does', examples: ['ticketId'] }),
  columns: members('The members of theirs that are shown'),
  sort: optional(Type.String({ description: 'Their order', examples: ['-createdAt'] })),
  max: optional(Type.Integer({ description: 'How many are shown', examples: [5] })),
  create: optional(Type.Boolean({ description: 'Whether one can be added there' })),
})

export const ActionHints = Type.Object(
  {
    icon: optional(icon),
    iconPath: optional(iconPath),
    tone: optional(tone),
    primary: optional(Type.Boolean({ description: 'Whether it is the first button of a row' })),
    bulk: optional(Type.Boolean({ description: 'Whether it is offered for several rows at once' })),
    undo: optional(Type.String({ description: 'The action that takes it back', examples: ['reopen'] })),
    confirm: optional(
      Type.String({ description: 'The question before it', examples: ['Close the ticket?'] }),
    ),
    key: optional(Type.String({ description: 'The key that calls it', examples: ['x'] })),
  },
  { description: 'How an action is offered' },
)

export const ConsoleHints = Type.Object(
  {
    icon: optional(icon),
    iconPath: optional(iconPath),
    tint: optional(word(tints, 'The colour of the icon')),
    group: optional(Type.String({ description: 'The heading in the navigation', examples: ['Support'] })),
    order: optional(Type.Integer({ description: 'The place in the group, the lowest first', examples: [1] })),
    hidden: optional(word(['navigation'], 'Where the entity is not listed')),
    subtitle: optional(
      Type.String({
        description: 'A template of members, and of members of what they refer to',
        examples: ['#{number} · {customer.name}'],
      }),
    ),
    image: optional(
      Type.String({ description: 'The member with the file of a picture', examples: ['photoId'] }),
    ),
    list: optional(ListHints),
    sections: optional(Type.Array(Section, { description: 'How a row is arranged' })),
    badges: optional(Type.Array(Badge, { description: 'What is said of a row in colour' })),
    related: optional(Type.Array(Related, { description: 'Rows of others that are shown with a row' })),
    help: optional(
      Type.String({ description: 'A sentence, or an address', examples: ['https://example.com/help'] }),
    ),
    home: optional(
      Type.Object(
        {
          figure: Type.String({
            description: '`count`, or `sum` or `avg` of a member. `GET /api/home` has its value',
            examples: ['sum(total)'],
          }),
          label: optional(
            Type.String({ description: 'In the language asked for', examples: ['Open tickets'] }),
          ),
          if: optional(condition('Of which rows')),
        },
        { description: 'The figure on the first page' },
      ),
    ),
  },
  { description: 'How the console shows the rows' },
)

function optional<T extends TSchema>(schema: T) {
  return Type.Optional(schema)
}

export type WidgetHint = Static<typeof WidgetHint>
export type ActionHints = Static<typeof ActionHints>
export type ConsoleHints = Static<typeof ConsoleHints>
