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

/** No text is no value. */
export function orNull(typed: string): string | null {
  return typed === '' ? null : typed
}
