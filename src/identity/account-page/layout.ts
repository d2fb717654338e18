/** What every account page has around its content: the brand of the tenant, the style, and the policy. */
import { hash } from 'node:crypto'
import type { MailBrand } from '../../core/feature/mail.ts'
import { JsonText, Reply } from '../../core/feature/route.ts'
import { type Html, html } from '../../core/html.ts'
import { defaultColor, inkOn } from '../../core/tenant/brand.ts'

export interface PageContent {
  title: string
  body: Html
  /** Another origin to which its form leads in the end. */
  formTarget?: string
  /** Its text alone runs, and reaches this service alone. */
  script?: Html
}

export interface PageLayout {
  brand: MailBrand
  /** BCP 47 */
  language: string
}

export interface PageReply {
  status?: number
  headers?: Readonly<Record<string, string>>
}

/** The style and the script are those of the page itself, which the policy names by their digests. */
export function pageReply(
  { title, body, formTarget, script }: PageContent,
  { brand, language }: PageLayout,
  { status, headers }: PageReply = {},
): Reply {
  const style = styleOf(brand)
  const heading =
    brand.logoUrl === null
      ? html`<p class="brand">${brand.name}</p>`
      : html`<p class="brand"><img src="${brand.logoUrl}" alt="${brand.name}" height="40"></p>`
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
${heading}
<h1>${title}</h1>
${body}
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
      'content-security-policy': policyOf(style.text, { logoUrl: brand.logoUrl, formTarget, script }),
      // Without it browsers send no `Origin` with a form (Fetch, section 3.2).
      'referrer-policy': 'same-origin',
    },
    status ?? null,
  )
}

interface Origins {
  logoUrl: string | null
  formTarget: string | undefined
  script: Html | undefined
}

/** `form-action` is also for the redirects that follow a form. */
function policyOf(style: string, { logoUrl, formTarget, script }: Origins): string {
  return [
    "default-src 'none'",
    `style-src ${digestOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${digestOf(script.text)}`, "connect-src 'self'"]),
    `img-src ${logoUrl === null ? "'none'" : new URL(logoUrl).origin}`,
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

function digestOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

function styleOf({ color, accentColor }: MailBrand): Html {
  const main = color ?? defaultColor
  const accent = accentColor ?? main
  return html`
:root { color-scheme: light dark; }
body { margin: 0; border-top: 4px solid ${main}; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; max-width: 28rem; margin: 0 auto; padding: 2rem 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
.brand { font-weight: bold; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; margin-top: .25rem; padding: .6rem; border: 1px solid GrayText; border-radius: 4px; background: FormField; color: FieldText; font: inherit; }
input[aria-invalid] { border: 2px solid #d03030; }
.hint, .fault { display: block; margin-top: .25rem; font-size: .875rem; }
.fault::before, .error::before { content: '⚠ '; }
code, .codes { font: 1.125rem/1.75 ui-monospace, monospace; overflow-wrap: anywhere; }
.qr-code { display: block; width: 14rem; max-width: 100%; background: #fff; fill: #000; }
.error { padding: .75rem 1rem; border: 2px solid #d03030; border-radius: 4px; }
button { width: 100%; margin-top: 1.5rem; padding: .75rem; border: 0; border-radius: 4px; background: ${accent}; color: ${inkOn(accent)}; font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
`
}
