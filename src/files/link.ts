/** Signed links to files. Whoever has a link may read the file until the link expires. */
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../core/context.ts'
import { foldTenantId } from '../core/tenant/tenant-id.ts'

export const linkPurpose = 'file-link'

/** Time is divided into windows. Links of one window are equal, so that replies without changes stay equal. */
const windowsInLife = 2

/** @returns an absolute address. It is valid for at most the time of the settings, and for at least half of it. */
export function linkTo({ shared, tenant }: Context, id: string): string {
  const { files, clock } = shared
  const windowMs = files.linkMs / windowsInLife
  const expiresMs = (Math.floor(clock().getTime() / windowMs) + windowsInLife) * windowMs
  const expires = String(Math.floor(expiresMs / 1000))
  const signature = sign(shared, { tenantId: tenant.id, id, expires }).toString('base64url')
  return `${files.baseUrl}/files/${id}?${new URLSearchParams({ tenant: tenant.id, expires, signature })}`
}

/** Whether the link is signed for the file and the context's tenant, and has not expired. */
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
