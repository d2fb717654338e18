/** Checks and compares ids of tenants. */

/** The form of an id, which is also the name of a folder and of a file. */
export const tenantIdPattern = '^[A-Za-z0-9][A-Za-z0-9._-]*$'
export const maxTenantIdLength = 64

const idExpression = new RegExp(tenantIdPattern, 'u')

/** Whether a tenant can have the id. */
export function isTenantId(text: string): boolean {
  return text.length <= maxTenantIdLength && idExpression.test(text)
}

/** @returns the id in the form in which ids are compared: they are unique without regard to case */
export function foldTenantId(id: string): string {
  return id.toLowerCase()
}
