/** The brand of a tenant: its name, its logos as files, its colours, and where its users sign in. */
import { hash } from 'node:crypto'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { refusal, type ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { brandOf, colorsOf, type LogoTheme } from '../../core/tenant/brand.ts'
import { lockTenantOf } from '../../core/tenant/directory.ts'
import { findLogos, type LogoRow } from '../../core/tenant/sql.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { AccountPages } from '../../identity/account-link.ts'
import { readImage } from './image.ts'
import type { TenantBrand } from './schema.ts'
import { deleteLogo, findLogoContent, insertLogo } from './sql.ts'

/** Reads the brand of the context's tenant, for everybody. */
export async function getBrand(context: Context, pages: AccountPages): Promise<TenantBrand> {
  const { brand } = await brandOf(context)
  return {
    name: brand.name,
    logos: { light: brand.logoUrl, dark: brand.darkLogoUrl },
    color: brand.accentColor ?? brand.color,
    colors: colorsOf(brand),
    signInUrl: pages.signInUrl(context.tenant),
  }
}

/** @returns the logo without its content @throws ServiceError `notFound` */
export async function getLogo({ catalogue }: Context, theme: LogoTheme): Promise<LogoRow> {
  const logo = (await findLogos(catalogue)).find((each) => each.theme === theme)
  if (logo === undefined) throw noLogo()
  return logo
}

/** @throws ServiceError `notFound` for a logo that was deleted meanwhile */
export async function readLogo({ catalogue }: Context, theme: LogoTheme): Promise<Uint8Array> {
  const content = await findLogoContent(catalogue, theme)
  if (content === null) throw noLogo()
  return content
}

/** Replaces the logo. @throws ServiceError `invalid` for what is no PNG, WebP or SVG, and for one that is too large */
export async function setLogo(context: Context, theme: LogoTheme, content: Uint8Array): Promise<void> {
  const image = await readImage(content)
  const sha256 = hash('sha256', content, 'hex')
  await inCatalogue(context, async (inside) => {
    const before = await lockLogo(inside, theme)
    if (before?.sha256 === sha256) return
    await deleteLogo(inside.catalogue, theme)
    await insertLogo(inside.catalogue, { ...image, theme, sha256, content, updated_at: now(inside) })
    await recordChange(inside, theme, { before: before?.sha256 ?? null, after: sha256 })
  })
}

/** @throws ServiceError `notFound` */
export async function removeLogo(context: Context, theme: LogoTheme): Promise<void> {
  await inCatalogue(context, async (inside) => {
    const before = await lockLogo(inside, theme)
    if (before === null) throw noLogo()
    await deleteLogo(inside.catalogue, theme)
    await recordChange(inside, theme, { before: before.sha256, after: null })
  })
}

/** Locks the tenant until the transaction ends, so that its logos change one at a time. @returns the present logo */
async function lockLogo(inside: Context, theme: LogoTheme): Promise<LogoRow | null> {
  await lockTenantOf(inside)
  return (await findLogos(inside.catalogue)).find((each) => each.theme === theme) ?? null
}

/** Reports a new logo as a change of a setting. The values before and after are digests of the pictures. */
async function recordChange(
  inside: Context,
  theme: LogoTheme,
  change: { before: string | null; after: string | null },
): Promise<void> {
  const name = theme === 'dark' ? 'brandDarkLogo' : 'brandLogo'
  const { catalogueTenantId: tenantId } = inside
  await publish(inside, 'tenant.configured', { tenantId, changed: [name] }, tenantId)
  await recordAudit(inside, {
    action: 'tenant.configured',
    tenantId,
    subjectType: 'tenantSettings',
    subjectId: null,
    detail: { [name]: change },
  })
}

function noLogo(): ServiceError {
  return refusal('noSuchLogo')
}
