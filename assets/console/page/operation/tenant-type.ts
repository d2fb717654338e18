/** The types of tenants in replies of the API. */
export interface Tenant {
  id: string
  name: string
  subdomain: string | null
  plan: string | null
  isActive: boolean
  createdAt: string
}

export interface TenantDatabase {
  kind: string
  status: string
  message: string | null
  isMoving: boolean
}

/** @returns `null` for an empty text */
export function orNull(typed: string): string | null {
  return typed === '' ? null : typed
}
