import { isNotModified } from '../../api/http/reply/condition.ts'
import { contentTag } from '../../api/http/reply/etag.ts'
import { JsonText, Reply, type Route, route } from '../../core/feature/route.ts'
import { type LogoTheme, logoPath, logoVersion } from '../../core/tenant/brand.ts'
import type { AccountPages } from '../../identity/account-link.ts'
import { getBrand, getLogo, readLogo, removeLogo, setLogo } from './brand.ts'
import { maxLogoBytes, maxLogoPixels } from './image.ts'
import { LogoQuery, TenantBrand } from './schema.ts'

const common = { tag: 'Tenants', database: 'catalogue' } as const

export function brandRoutes(pages: AccountPages): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/api/tenant/brand',
      name: 'getTenantBrand',
      access: 'public',
      inPortal: true, // the webhook portal, which a customer of the tenant sees, has the tenant's brand
      summary: 'Get the brand of the tenant',
      description:
        'Name, logos, the colours of both themes, and where its users sign in: for pages that are shown before a user ' +
        'signs in. The colours are computed from `brandAccentColor`, or else `brandColor`, so that text is readable.',
      reply: TenantBrand,
      headers: ['etag'],
      handle: async (context) => {
        const brand = await getBrand(context, pages)
        return new Reply(brand, { etag: contentTag(JSON.stringify(brand)) })
      },
    }),
    ...logoRoutes(pages, { theme: 'light', path: logoPath, noun: 'Logo' }),
    ...logoRoutes(pages, { theme: 'dark', path: `${logoPath}/dark`, noun: 'DarkLogo' }),
  ]
}

/** The routes of one of the two logos: for light or for dark pages. */
interface LogoOperations {
  theme: LogoTheme
  path: string
  /** The noun in the names of the operations. */
  noun: string
}

function logoRoutes(pages: AccountPages, { theme, path, noun }: LogoOperations): Route[] {
  const logoName = theme === 'dark' ? 'logo for dark pages' : 'logo'
  const writing = { ...common, path, access: 'setting:write' } as const
  return [
    route({
      ...common,
      method: 'GET',
      path,
      name: `getTenant${noun}`,
      access: 'public',
      summary: `Get the ${logoName} of the tenant`,
      description: 'A browser runs nothing of it, also of an SVG.',
      query: LogoQuery,
      bytesReply: 'The picture',
      headers: ['etag'],
      errors: ['notFound'],
      handle: async (context, { query, headers }) => {
        const { sha256, type } = await getLogo(context, theme)
        const own = { etag: `"${sha256}"`, ...safeHeaders, ...(query.v === logoVersion(sha256) && lasting) }
        if (isNotModified(headers, own)) return new Reply(null, own)
        return new Reply(new JsonText([await readLogo(context, theme)], type), own)
      },
    }),
    route({
      ...writing,
      method: 'PUT',
      name: `setTenant${noun}`,
      summary: `Set the ${logoName} of the tenant`,
      description:
        `The body is a PNG, WebP or SVG picture of at most ${maxLogoBytes / 1000} kB and ${maxLogoPixels} × ` +
        `${maxLogoPixels} pixels; its bytes say which, whatever its \`Content-Type\` is. Replaces the former one.`,
      rawBody: { limitBytes: maxLogoBytes, description: 'The picture' },
      isBinary: true, // so that OpenAPI describes the body as bytes instead of JSON
      reply: TenantBrand,
      errors: ['invalid', 'tooLarge'],
      handle: async (context, { bytes }) => {
        await setLogo(context, theme, bytes)
        return getBrand(context, pages)
      },
    }),
    route({
      ...writing,
      method: 'DELETE',
      name: `deleteTenant${noun}`,
      summary: `Delete the ${logoName} of the tenant`,
      description: 'Pages and mails then show the address of `brandLogoUrl`, or the name.',
      status: 204,
      errors: ['notFound'],
      handle: (context) => removeLogo(context, theme),
    }),
  ]
}

/** A browser that opens an SVG runs none of its scripts. Pages of other origins may show the logo. */
const safeHeaders = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
}

/** Browsers may keep a logo if its address has the version, because another logo has another address. */
const lasting = { 'cache-control': 'public, max-age=31536000, immutable' }
