import { type Static, Type } from 'typebox'
import { AttributeChangeShape, AttributesShape, attributeKinds } from '../../core/attributes.ts'
import { MailAddress, Nullable, StringEnum, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'
import { maxPasswordLength, Password } from '../password/schema.ts'
import { maxRoleName, RoleName } from '../role/schema.ts'

/** The name of the first administrator in all examples. */
export const firstUserName = 'admin'

const userName = Type.String({
  minLength: 3,
  maxLength: 50,
  'x-trim': true,
  pattern: '^[A-Za-z0-9._@-]+$',
  description: 'Letters, digits, `.`, `_`, `-`, `@`; unique within the tenant, ignoring case',
  examples: ['ada'],
})
const email = MailAddress({
  description: 'Unique within the tenant; of any script (RFC 6531). Can be used to sign in',
  examples: ['ada@example.com'],
})
const firstName = Text(1, 100, { description: 'Given name', examples: ['Ada'] })
const lastName = Text(1, 100, { description: 'Family name', examples: ['Lovelace'] })
const phoneNumber = Nullable(Text(0, 50, { description: 'In any form', examples: ['+44 20 7946 0000'] }))
const maxRolesOfUser = 20
/** The size of the roles of a user as JSON. */
export const maxRolesBytes = 2 + maxRolesOfUser * (maxRoleName + 3)
const userRoles = Type.Array(RoleName, {
  minItems: 1,
  maxItems: maxRolesOfUser,
  uniqueItems: true,
  description: 'Names of roles. `Admin` and `User` exist in every tenant; an `Admin` administers it',
  examples: [['User']],
})

const id = { ...Uuid, description: 'Assigned by the service' }
const tenantId = Type.String({
  maxLength: 64,
  description: 'The tenant that the user belongs to',
  examples: ['acme'],
})
/** The parameter by which administrators of the host name another tenant. */
export const OtherTenant = Type.Optional(
  Type.String({
    maxLength: 64,
    description: 'Another tenant. For administrators of the host tenant',
    examples: ['acme'],
  }),
)
const isActive = { description: '`false` prevents the user from signing in' }

/** The members with which every reply about a user begins. */
const identity = { id, userName, email, firstName, lastName }

/** The examples create and sign in one user, so that they work when they are sent in order. */
const firstUser = {
  userName: { ...userName, examples: [firstUserName] },
  email: { ...email, examples: ['admin@example.com'] },
}

export const UserSummary = Type.Object(
  { ...identity, ...firstUser },
  { $id: 'UserSummary', description: 'The public part of a user.' },
)

export const SignedInUser = Type.Object(
  {
    ...identity,
    ...firstUser,
    roles: { ...userRoles, examples: [['Admin']] },
    tenantId: { ...tenantId, examples: ['default'] },
  },
  { $id: 'SignedInUser', description: 'The signed-in user.' },
)

export const CurrentUser = Type.Object(
  {
    ...SignedInUser.properties,
    emailVerified: Type.Boolean({
      description: 'Whether the user has proven to read the mails of the address',
      examples: [true],
    }),
    permissions: Type.Array(Type.String({ examples: ['order:read'] }), {
      description: 'What the user may do, sorted',
      examples: [['order:read', 'order:write']],
    }),
    impersonator: Type.Optional(
      Type.Object(
        {
          id: { ...Uuid, description: 'The id of the administrator' },
          userName: Type.String({ description: 'The name of the administrator', examples: ['admin'] }),
        },
        { description: 'The administrator of the host tenant who acts as the user; absent for the user' },
      ),
    ),
  },
  { $id: 'CurrentUser', description: 'The signed-in user, and what it may do.' },
)

export const User = Type.Object(
  {
    ...identity,
    phoneNumber,
    roles: userRoles,
    attributes: AttributesShape,
    isActive: Type.Boolean(isActive),
    tenantId,
    createdAt: Timestamp,
  },
  { $id: 'User', description: 'A user of a tenant.' },
)

export const UserAttribute = Type.Object(
  {
    name: Type.String({ description: 'The name of the member of `attributes`', examples: ['region'] }),
    kind: StringEnum(attributeKinds, {
      description: 'A text, one of some words, a list of texts, or a boolean',
      examples: ['text'],
    }),
    values: Nullable(
      Type.Array(Type.String({ examples: ['north'] }), {
        description: 'The words of which a value is; null for any text',
        examples: [null],
      }),
    ),
    description: Nullable(
      Type.String({ description: 'What the application says of it', examples: ['The sales region'] }),
    ),
  },
  { $id: 'UserAttribute', description: 'An attribute that the application declares.' },
)

export const AdministratorInput = Type.Object(
  { ...firstUser, password: Password, firstName, lastName },
  { $id: 'AdministratorInput', description: 'The first administrator.' },
)

export const UserInput = Type.Object(
  {
    userName,
    email,
    password: Password,
    firstName,
    lastName,
    phoneNumber: Type.Optional(phoneNumber),
    roles: Type.Optional(userRoles),
    attributes: Type.Optional(AttributeChangeShape),
    isActive: Type.Optional(Type.Boolean({ ...isActive, default: true })),
    tenantId: OtherTenant,
  },
  { $id: 'UserInput', description: 'A new user.' },
)

export const UserUpdate = Type.Object(
  {
    userName: Type.Optional(userName),
    email: Type.Optional(email),
    password: Type.Optional(Password),
    firstName: Type.Optional(firstName),
    lastName: Type.Optional(lastName),
    phoneNumber: Type.Optional(phoneNumber),
    roles: Type.Optional(userRoles),
    attributes: Type.Optional(AttributeChangeShape),
    isActive: Type.Optional(Type.Boolean(isActive)),
  },
  { $id: 'UserUpdate', description: 'Omitted members stay unchanged.' },
)

export const PasswordChange = Type.Object(
  {
    currentPassword: Type.String({
      maxLength: maxPasswordLength,
      description: 'The current password',
      writeOnly: true,
      examples: ['Admin@123'],
    }),
    newPassword: Password,
  },
  { $id: 'PasswordChange', description: 'The current password and a new one.' },
)

export type User = Static<typeof User>
export type UserAttribute = Static<typeof UserAttribute>
export type AdministratorInput = Static<typeof AdministratorInput>
export type UserInput = Static<typeof UserInput>
export type UserUpdate = Static<typeof UserUpdate>
export type PasswordChange = Static<typeof PasswordChange>
