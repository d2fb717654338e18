/** The types of users, roles, permissions and sessions in replies of the API. */

/** The id of the tenant that operates the service. */
export const hostTenantId = 'default'

export type AttributeValue = string | boolean | readonly string[]
export type Attributes = Readonly<Record<string, AttributeValue>>

export interface Attribute {
  name: string
  kind: 'text' | 'oneOf' | 'list' | 'boolean'
  values: readonly string[] | null
  description: string | null
}

export interface User {
  id: string
  userName: string
  email: string
  firstName: string
  lastName: string
  phoneNumber: string | null
  roles: readonly string[]
  attributes: Attributes
  isActive: boolean
  tenantId: string
  createdAt: string
}

export interface Role {
  name: string
  description: string | null
  permissions: readonly string[]
  isBuiltIn: boolean
  source: 'service' | 'application' | 'tenant'
  createdAt: string | null
}

export interface Permission {
  name: string
  description: string
}

export interface Session {
  id: string
  device: string
  place: string
  createdAt: string
  lastUsedAt: string
  isCurrent: boolean
  impersonatorName: string | null
}
