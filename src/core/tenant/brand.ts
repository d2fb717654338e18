/** The brand of a tenant: its name, logos and colours in mails, on pages and in clients. */
import { type BrandThemes, brandColorsOf, defaultColor } from '../brand-colors.ts'
import type { Context } from '../context.ts'
import type { MailBrand } from '../feature/mail.ts'
import { findLogos, type LogoRow } from './sql.ts'

/** `logoUrl` is the stored file if there is one, otherwise the address that the tenant has set. */
export interface Brand extends MailBrand {
  /** The stored logo for dark pages. */
  darkLogoUrl: string | null
  /** Whether mail programs can show the logo. Most of them show no SVG. */
  isLogoForMails: boolean
}

export type LogoTheme = 'light' | 'dark'

/** The address of a stored logo, below `BASE_URL`. */
export const logoPath = '/api/tenant/brand/logo'

/**
 * Reads the brand and the locale (BCP 47) of the context's tenant. Settings are read by their names, because a
 * module that this one may not import declares them. They are usually cached; the logos are one query.
 */
export async function brandOf(context: Context): Promise<{ brand: Brand; locale: string }> {
  const values = await context.shared.tenantSettings.read(context)
  const text = (name: string): string | null => {
    const value = values[name]
    return typeof value === 'string' ? value : null
  }
  const logos = await findLogos(context.catalogue)
  const [light, dark] = ['light', 'dark'].map((each) => logos.find(({ theme }) => theme === each))
  const brand = {
    name: text('brandName') ?? context.tenant.name,
    logoUrl: light === undefined ? text('brandLogoUrl') : logoUrl(context, light),
    darkLogoUrl: dark === undefined ? null : logoUrl(context, dark),
    isLogoForMails: light?.type !== 'image/svg+xml',
    color: text('brandColor'),
    accentColor: text('brandAccentColor'),
  }
  return { brand, locale: text('locale') ?? 'en' }
}

/** @returns the address of a stored logo. A digest in it lets clients cache the file until it changes. */
function logoUrl({ shared, tenant }: Context, { theme, sha256 }: LogoRow): string {
  const path = theme === 'dark' ? `${logoPath}/dark` : logoPath
  const query = new URLSearchParams({ tenant: tenant.id, v: logoVersion(sha256) })
  return `${shared.baseUrl}${path}?${query}`
}

export function logoVersion(sha256: string): string {
  return sha256.slice(0, 16)
}

/** The computed colours by the colour that a tenant has chosen, so that no page computes them again. */
const known = new Map<string, BrandThemes>()
const maxKnown = 1000

/** Buttons and links have the colour of highlights, if the tenant has set one, and the main colour otherwise. */
export function colorsOf({ color, accentColor }: Pick<MailBrand, 'color' | 'accentColor'>): BrandThemes {
  const chosen = accentColor ?? color ?? defaultColor
  const found = known.get(chosen)
  if (found !== undefined) return found
  const made = brandColorsOf(chosen)
  if (known.size >= maxKnown) known.clear()
  known.set(chosen, made)
  return made
}
