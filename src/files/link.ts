/** Signed links to files: who has one may read the file until it expires. */
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../core/context.ts'
import { foldTenantId } from '../core/tenant/tenant-id.ts'

export const linkPurpose = 'file-link'

/** Links that are made close to each other are equal, so that equal replies stay equal. */
const windowsInLife = 2

/** @returns an absolute address that is valid for the time of the settings at most, and for half of it at least */
export function linkTo({ shared, tenant }: Context, id: string): string {
  const { files, clock } = shared
  const windowMs = files.linkMs / windowsInLife
  const expiresMs = (Math.floor(clock().getTime() / windowMs) + windowsInLife) * windowMs
  const expires = String(Math.floor(expiresMs / 1000))
  const signature = sign(shared, { tenantId: tenant.id, id, expires }).toString('base64url')
  return `${files.baseUrl}/files/${id}?${new URLSearchParams({ tenant: tenant.id, expires, signature })}`
}

/** Whether the signature is that of the context's tenant and of the file, and has not expired. */
export function isLinkValid(
  { shared, tenant }: Context,
  { id, expires = '', signature = '' }: { id: string; expires?: string; signature?: string },
): boolean {
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(shared, { tenantId: tenant.id, id, expires })
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected)
  return isSigned && /^\d{1,12}$/.test(expires) && Number(expires) * 1000 > shared.clock().getTime()
}

function sign(
  { secretBox }: Context['shared'],
  { tenantId, id, expires }: { tenantId: string; id: string; expires: string },
): Buffer {
  return secretBox.digest(`${foldTenantId(tenantId)}\n${id}\n${expires}`, linkPurpose)
}
