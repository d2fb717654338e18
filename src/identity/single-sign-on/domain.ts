/**
 * Domains of a tenant, which it proves by a TXT record. The provider may sign in only users whose address is in a
 * proven domain: it could otherwise give the address of anybody.
 */
import { randomBytes } from 'node:crypto'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { invalidField, refusal, type ServiceError } from '../../core/errors.ts'
import type { AddressGuard } from '../../core/outgoing/address-guard.ts'
import { lockTenantOf } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { requireAdministrator } from './configuration.ts'
import { type Domain, domainPattern, maxDomains } from './schema.ts'
import { type DomainRow, deleteDomain, domainsOf, findDomain, insertDomain, markVerified } from './sql.ts'

/** @returns the domains, sorted by name */
export async function listDomains({ catalogue }: Context): Promise<Domain[]> {
  return (await domainsOf(catalogue)).map(toDomain)
}

/** @throws ServiceError `forbidden`; `invalid` for a domain that the tenant has, and for too many */
export async function addDomain(context: Context, name: string): Promise<Domain> {
  await requireAdministrator(context)
  const domain = foldDomain(name)
  return inCatalogue(context, async (inside) => {
    await lockTenantOf(inside)
    const present = await domainsOf(inside.catalogue)
    if (present.some((each) => each.domain === domain))
      throw invalidField('domain', 'is there already', 'taken')
    if (present.length >= maxDomains) throw refusal('tooManyDomains', { limit: maxDomains })
    const row: DomainRow = {
      tenant_id: inside.catalogueTenantId,
      domain,
      proof: `tenantry-domain=${randomBytes(24).toString('base64url')}`,
      verified_at: null,
      created_at: now(inside),
    }
    await insertDomain(inside.catalogue, row)
    await record(inside, 'sso.domainAdded', domain)
    return toDomain(row)
  })
}

/** Looks up the TXT record. @throws ServiceError `notFound`, `forbidden`; `invalid` while there is no such record */
export async function verifyDomain(context: Context, guard: AddressGuard, name: string): Promise<Domain> {
  await requireAdministrator(context)
  const row = await findDomain(context.catalogue, foldDomain(name))
  if (row === null) throw noSuchDomain()
  if (row.verified_at !== null) return toDomain(row)
  const { recordName, recordValue } = toDomain(row)
  const texts = await guard.texts(recordName)
  if (!texts.includes(recordValue)) throw refusal('domainNotProven', { name: recordName, value: recordValue })
  return inCatalogue(context, async (inside) => {
    const moment = now(inside)
    // The domain may have been removed in the meantime, and added again with another proof.
    const present = await findDomain(inside.catalogue, row.domain)
    if (present?.proof !== row.proof) throw noSuchDomain()
    await markVerified(inside.catalogue, row.domain, moment)
    await record(inside, 'sso.domainVerified', row.domain)
    return toDomain({ ...row, verified_at: moment })
  })
}

/**
 * Users of the domain who have signed in at the provider before may still do so.
 * @throws ServiceError `notFound`, `forbidden`
 */
export async function removeDomain(context: Context, name: string): Promise<void> {
  await requireAdministrator(context)
  const domain = foldDomain(name)
  await inCatalogue(context, async (inside) => {
    if (!(await deleteDomain(inside.catalogue, domain))) throw noSuchDomain()
    await record(inside, 'sso.domainRemoved', domain)
  })
}

export async function isProven({ catalogue }: Context, domain: string): Promise<boolean> {
  const row = await findDomain(catalogue, domain)
  return row !== null && row.verified_at !== null
}

/** @throws ServiceError `notFound` for a text that is no domain */
function foldDomain(name: string): string {
  if (!isDomain.test(name)) throw noSuchDomain()
  return name.toLowerCase()
}

const isDomain = new RegExp(domainPattern)

function noSuchDomain(): ServiceError {
  return refusal('noSuch', { label: 'domain' })
}

function record(
  inside: Context,
  action: 'sso.domainAdded' | 'sso.domainVerified' | 'sso.domainRemoved',
  domain: string,
): Promise<void> {
  return recordAudit(inside, {
    action,
    tenantId: inside.tenant.id,
    subjectType: 'domain',
    subjectId: domain,
  })
}

function toDomain({ domain, proof, verified_at: verifiedAt, created_at: createdAt }: DomainRow): Domain {
  return {
    domain,
    isVerified: verifiedAt !== null,
    recordName: `_tenantry.${domain}`,
    recordValue: proof,
    verifiedAt,
    createdAt,
  }
}
