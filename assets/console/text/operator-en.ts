/** What the console says to operators of the service. */
export const operator = {
  tenant: 'Tenant',
  tenantId: 'Id of the tenant',
  auditOfOwn: 'Records in a database of a tenant’s own are shown with the id of that tenant only.',
}
