import { type Static, Type } from 'typebox'
import { Named } from '../../core/schema/record.ts'
import { Nullable, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'
import { RoleName } from '../role/schema.ts'

/** The maximum number of views of one user. */
export const maxViews = 100
/** The maximum number of shared views of all users of a tenant. */
export const maxSharedViews = 200
/** The maximum size of what a view shows, as JSON. */
export const maxViewBytes = 8 * 1024

const ViewColumn = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'The field', examples: ['subject'] }),
    width: Type.Optional(
      Type.Integer({ minimum: 20, maximum: 4000, description: 'In pixels', examples: [240] }),
    ),
    isPinned: Type.Optional(Type.Boolean({ description: 'Whether it stays in sight' })),
  },
  { $id: 'ViewColumn', description: 'A column of a view.' },
)

/** The members of a view that say what it shows. */
const shown = {
  query: Named(
    Type.String({ maxLength: 2000 }),
    { max: 200 },
    {
      maxProperties: 50,
      description: 'Filters, search and sort, as the parameters of the list have them',
      examples: [{ status: 'open', sort: '-createdAt' }],
    },
  ),
  columns: Type.Array(ViewColumn, {
    maxItems: 100,
    description: 'In their order; empty for those that the client chooses',
  }),
  group: Nullable(
    Type.String({ maxLength: 200, description: 'The field by which rows are grouped', examples: ['status'] }),
  ),
  layout: Type.Enum(['table', 'board', 'calendar'], {
    description: 'How rows are laid out',
    examples: ['table'],
  }),
  density: Nullable(
    Type.Enum(['compact', 'normal', 'comfortable'], {
      description: 'The height of rows; `null` for that which the user has chosen',
      examples: ['compact'],
    }),
  ),
}

/** The content of a view as it is stored. Views of earlier versions have no density. */
export const ViewContent = Type.Object({ ...shown, density: Type.Optional(shown.density) })

const roleNames = (description: string) =>
  Type.Array(RoleName, { maxItems: 50, uniqueItems: true, description, examples: [[]] })

const name = Text(1, 100, { description: 'What its users read', examples: ['Open tickets'] })
const entity = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The name of the entity whose rows it shows',
  examples: ['product'],
})

/** The members of a view that say who sees it. */
const sharing = {
  sharedWith: Type.Enum(['nobody', 'everybody', 'roles'], {
    description:
      'Who sees it besides its owner: nobody, everybody of the tenant, or the users of `roles`. Sharing requires the permission `view:share`',
    examples: ['nobody'],
  }),
  roles: roleNames('Whose users see it, where `sharedWith` is `roles`'),
  isDefaultFor: roleNames(
    'The roles whose users begin with it. A role has one such view of an entity: naming another takes it from the former',
  ),
}

export const View = Type.Object(
  {
    id: { ...Uuid, description: 'Assigned by the service' },
    name,
    entity,
    ...shown,
    ...sharing,
    isOwn: Type.Boolean({ description: 'Whether it belongs to the caller' }),
    isChangeable: Type.Boolean({ description: 'Whether the caller may change and delete it' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'View', description: 'A list of an entity as somebody has arranged it.' },
)

const optional = {
  query: Type.Optional(shown.query),
  columns: Type.Optional(shown.columns),
  group: Type.Optional(shown.group),
  layout: Type.Optional(shown.layout),
  density: Type.Optional(shown.density),
  sharedWith: Type.Optional(sharing.sharedWith),
  roles: Type.Optional(sharing.roles),
  isDefaultFor: Type.Optional(sharing.isDefaultFor),
}

export const ViewInput = Type.Object(
  { name, entity, ...optional },
  { $id: 'ViewInput', description: 'A new view. Without `sharedWith` nobody else sees it.' },
)

export const ViewUpdate = Type.Object(
  { name: Type.Optional(name), ...optional },
  { $id: 'ViewUpdate', description: 'Omitted members stay unchanged.' },
)

export const ViewQuery = Type.Object({ entity: Type.Optional(entity) })

export type View = Static<typeof View>
export type ViewContent = Static<typeof ViewContent>
export type ViewInput = Static<typeof ViewInput>
export type ViewUpdate = Static<typeof ViewUpdate>
