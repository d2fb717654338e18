/** The look of a tenant in mails and on pages. */
import type { Context } from '../context.ts'
import type { MailBrand } from '../feature/mail.ts'

/**
 * The brand and the locale (BCP 47) of the context's tenant. They are read by name: the settings are declared in a room
 * above. Like `tenantSetting`, it waits for a query only if the settings are not cached.
 */
export async function brandOf(context: Context): Promise<{ brand: MailBrand; locale: string }> {
  const values = await context.shared.tenantSettings.read(context)
  const text = (name: string): string | null => {
    const value = values[name]
    return typeof value === 'string' ? value : null
  }
  const brand = {
    name: text('brandName') ?? context.tenant.name,
    logoUrl: text('brandLogoUrl'),
    color: text('brandColor'),
    accentColor: text('brandAccentColor'),
  }
  return { brand, locale: text('locale') ?? 'en' }
}

/** The color of a tenant that has set none. */
export const defaultColor = '#1f4b99'

/** Black or white, whichever contrasts more (WCAG 2.2, relative luminance). @param color like `#1a2b3c` */
export function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}
