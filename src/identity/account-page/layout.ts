/** The frame of every account page: the brand of the tenant, the style, and the `Content-Security-Policy`. */
import { hash } from 'node:crypto'
import { JsonText, Reply } from '../../core/feature/route.ts'
import { type Html, html } from '../../core/html.ts'
import type { Brand } from '../../core/tenant/brand.ts'
import { styleOf } from './style.ts'

export interface PageContent {
  title: string
  body: Html
  /** The origin to which the service redirects after the form, if it is another one: the policy has to permit it. */
  formTarget?: string
  /** The only script that runs on the page. It may send requests only to this service. */
  script?: Html
}

export interface PageLayout {
  brand: Brand
  /** BCP 47 */
  language: string
}

export interface PageReply {
  status?: number
  headers?: Readonly<Record<string, string>>
}

/** Style and script are in the page itself. The policy names their digests, so that nothing else applies. */
export function pageReply(
  { title, body, formTarget, script }: PageContent,
  { brand, language }: PageLayout,
  { status, headers }: PageReply = {},
): Reply {
  const style = styleOf(brand)
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${brand.name}</title>
<style>${style}</style>
</head>
<body>
<main>
<div class="page">
<p class="brand">${logoOf(brand)}</p>
<div class="card">
<h1>${title}</h1>
${body}
</div>
</div>
</main>
${
  script === undefined
    ? null
    : html`<script>${script}</script>
`
}</body>
</html>
`
  return new Reply(
    new JsonText(page.text, 'text/html; charset=utf-8'),
    {
      ...headers,
      'content-security-policy': policyOf(style.text, { brand, formTarget, script }),
      // Without it browsers send no `Origin` with a form (Fetch, section 3.2).
      'referrer-policy': 'same-origin',
    },
    status ?? null,
  )
}

function logoOf({ name, logoUrl, darkLogoUrl }: Brand): Html | string {
  if (logoUrl === null) return name
  const image = html`<img src="${logoUrl}" alt="${name}" height="40">`
  if (darkLogoUrl === null) return image
  return html`<picture><source srcset="${darkLogoUrl}" media="(prefers-color-scheme: dark)">${image}</picture>`
}

interface Origins {
  brand: Brand
  formTarget: string | undefined
  script: Html | undefined
}

/** The directive `form-action` also restricts the redirects that follow a form. */
function policyOf(style: string, { brand, formTarget, script }: Origins): string {
  const logos = brand.logoUrl === null ? [] : [brand.logoUrl, brand.darkLogoUrl ?? brand.logoUrl]
  const origins = [...new Set(logos.map((url) => new URL(url).origin))]
  return [
    "default-src 'none'",
    `style-src ${digestOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${digestOf(script.text)}`, "connect-src 'self'"]),
    `img-src ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

function digestOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}
