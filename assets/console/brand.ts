/** The brand of the tenant: its name, its logo and its colours, which the service has computed from one colour. */
import { get } from './api.ts'
import { serviceAddress } from './service.ts'
import { useShared } from './shared-value.ts'
import { theme } from './theme.ts'

export interface Brand {
  name: string
  /** Addresses of stored logos, or of files elsewhere, which the policy of this page refuses. */
  logos: { light: string | null; dark: string | null }
  /** `null` for a tenant that has chosen none. */
  color: string | null
  colors: { light: BrandColors; dark: BrandColors }
  /** The address where users of the tenant sign in. */
  signInUrl: string
}

interface BrandColors {
  solid: string
  onSolid: string
  solidHover: string
  accentText: string
  focus: string
  tint: string
  tintRaised: string
}

const tokens: readonly [token: string, color: keyof BrandColors][] = [
  ['--accent', 'solid'],
  ['--accent-ink', 'onSolid'],
  ['--accent-hover', 'solidHover'],
  ['--accent-text', 'accentText'],
  ['--focus', 'focus'],
  ['--bar', 'accentText'],
  ['--selected', 'tint'],
  ['--raised-selected', 'tintRaised'],
]
const logoPath = '/api/tenant/brand/logo'

let brand: Brand | null = null
const listeners = new Set<() => void>()

/** @returns `null` until it is known */
export function useBrand(): Brand | null {
  return useShared(listeners, () => brand)
}

/**
 * Loads the brand and sets the colours of the page. If it cannot be read, the page keeps the colours of the product.
 * @param tenant the tenant; absent: that of the signed-in user, or of the page's address
 */
export async function loadBrand(tenant?: string): Promise<Brand | null> {
  const headers: Record<string, string> = tenant === undefined ? {} : { 'x-tenant-id': tenant }
  try {
    brand = await get<Brand>('/api/tenant/brand', { headers })
  } catch {
    return brand
  }
  const { style } = document.documentElement
  for (const [token, color] of tokens)
    style.setProperty(token, brand.color === null ? '' : inBothThemes(brand.colors, color))
  for (const update of listeners) update()
  return brand
}

/** @returns the address of the stored logo for the theme of the page */
export function logoOf({ logos: { light, dark } }: Brand): string | null {
  const isDark =
    theme() === 'dark' || (theme() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  return storedLogo(isDark ? (dark ?? light) : light)
}

/** @returns an address below the service, which may be reached by another name than by `BASE_URL`; `null` for others */
export function storedLogo(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null
  const { pathname, search } = new URL(address)
  const begin = pathname.indexOf(logoPath)
  return begin < 0 ? null : serviceAddress(`${pathname.slice(begin)}${search}`)
}

function inBothThemes({ light, dark }: Brand['colors'], color: keyof BrandColors): string {
  return `light-dark(${light[color]}, ${dark[color]})`
}
