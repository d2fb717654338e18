import { type Static, Type } from 'typebox'
import { maxPermissionLength, permissionPattern } from '../../core/permission.ts'
import { Nullable, StringEnum, Text, Timestamp } from '../../core/schema/schema.ts'

export const maxRoles = 100
const maxPermissions = 500
/** The size of the permissions as JSON. */
export const maxPermissionsBytes = 2 + maxPermissions * (maxPermissionLength + 3)

export const maxRoleName = 50

/** Without spaces, because the rows of users contain names joined by spaces. */
export const RoleName = Type.String({
  minLength: 1,
  maxLength: maxRoleName,
  pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
  description: 'Letters, digits, `_`, `-`; unique within the tenant, ignoring case',
  examples: ['Accountant'],
})

const description = Nullable(Text(0, 500, { description: 'For whom the role is', examples: ['Sees orders'] }))

export const PermissionNames = Type.Array(
  Type.String({ maxLength: maxPermissionLength, pattern: permissionPattern, examples: ['order:read'] }),
  {
    maxItems: maxPermissions,
    uniqueItems: true,
    description: 'Names of permissions',
    examples: [['order:read']],
  },
)

export const RoleInput = Type.Object(
  { name: RoleName, description: Type.Optional(description), permissions: PermissionNames },
  { $id: 'RoleInput', description: 'A new role.' },
)

export const RoleUpdate = Type.Object(
  { description: Type.Optional(description), permissions: Type.Optional(PermissionNames) },
  { $id: 'RoleUpdate', description: 'Omitted members stay unchanged.' },
)

export type RoleSource = 'service' | 'application' | 'tenant'

export const Role = Type.Object(
  {
    name: RoleName,
    description,
    permissions: PermissionNames,
    isBuiltIn: Type.Boolean({ description: 'Whether the role exists in every tenant and cannot be changed' }),
    source: StringEnum(['service', 'application', 'tenant'], {
      description: 'Who has made the role: the service and the application for every tenant, or the tenant',
      examples: ['tenant'],
    }),
    createdAt: Nullable({ ...Timestamp, description: 'When it was created; null for one of every tenant' }),
  },
  { $id: 'Role', description: 'A role of a tenant.' },
)

export const PermissionInfo = Type.Object(
  {
    name: Type.String({ description: '`resource:action`', examples: ['order:read'] }),
    description: Type.String({ description: 'What it allows', examples: ['See orders'] }),
    roles: Type.Array(Type.String({ examples: ['Admin'] }), {
      maxItems: 2,
      description: 'The built-in roles that have it',
      examples: [['Admin', 'User']],
    }),
  },
  { $id: 'Permission', description: 'What a role can grant.' },
)

export type Role = Static<typeof Role>
export type RoleInput = Static<typeof RoleInput>
export type RoleUpdate = Static<typeof RoleUpdate>
export type PermissionInfo = Static<typeof PermissionInfo>
