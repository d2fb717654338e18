/**
 * Makes the HTML and the plain text of a mail from the same parts. Mail programs
 * understand only tables and inline styles.
 */

import type { BrandColors } from '../../core/brand-shape.ts'
import type { MailBrand, MailPart } from '../../core/feature/mail.ts'
import { type Html, html } from '../../core/html.ts'
import { colorsOf } from '../../core/tenant/brand.ts'
import type { LayoutText } from './layout-text.ts'

export interface Layout {
  subject: string
  parts: readonly MailPart[]
  brand: MailBrand
  text: LayoutText
  language: string
}

const font = 'font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:24px;color:#1c2024'

export function htmlOf({ subject, parts, brand, text, language }: Layout): string {
  const colors = colorsOf(brand).light
  const title =
    brand.logoUrl === null
      ? html`<span style="font-size:20px;font-weight:bold;color:${colors.accentText}">${brand.name}</span>`
      : html`<img src="${brand.logoUrl}" alt="${brand.name}" height="40" style="height:40px;border:0">`
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#f0f0f3">
<table role="presentation" align="center" cellpadding="0" cellspacing="0" style="max-width:600px;width:100%;background:#ffffff;border-top:4px solid ${brand.color ?? colors.solid}">
<tr><td style="padding:24px 24px 0">${title}</td></tr>
<tr><td style="padding:24px;${font}">
${parts.map((part) => htmlOfPart(part, { colors, text }))}</td></tr>
<tr><td style="padding:0 24px 24px;${font};font-size:13px;color:#60646c">${text.sentBy(brand.name)}</td></tr>
</table>
</body>
</html>
`.text
}

function htmlOfPart(part: MailPart, { colors, text }: { colors: BrandColors; text: LayoutText }): Html {
  if (typeof part === 'string') return html`<p style="margin:0 0 16px">${linesOf(part)}</p>\n`
  switch (part.kind) {
    case 'link':
      return html`<p style="margin:24px 0"><a href="${part.url}" style="background:${colors.solid};color:${colors.onSolid};padding:12px 24px;border-radius:6px;text-decoration:none;display:inline-block">${part.label}</a></p>
<p style="margin:0 0 16px;font-size:13px;word-break:break-all">${text.linkBelow}<br><a href="${part.url}" style="color:${colors.accentText}">${part.url}</a></p>\n`
    case 'code':
      return html`<p style="margin:24px 0;font-family:monospace;font-size:28px;letter-spacing:4px">${part.code}</p>\n`
    case 'rows':
      return html`<table cellpadding="0" cellspacing="0" style="margin:0 0 16px">${part.rows.map(
        ([name, value]) =>
          html`<tr><td style="padding:2px 16px 2px 0;${font};color:#60646c">${name}</td><td style="padding:2px 0;${font}">${linesOf(value)}</td></tr>`,
      )}</table>\n`
  }
}

function linesOf(text: string): Html[] {
  return text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))
}

export function plainTextOf({ parts, brand, text }: Layout): string {
  return `${[...parts.map(plainTextOfPart), `-- \n${text.sentBy(brand.name)}`].join('\n\n')}\n`
}

function plainTextOfPart(part: MailPart): string {
  if (typeof part === 'string') return part
  switch (part.kind) {
    case 'link':
      return `${part.label}:\n${part.url}`
    case 'code':
      return part.code
    case 'rows':
      return part.rows.map(([name, value]) => `${name}: ${value}`).join('\n')
  }
}
