/** Renders a mail: subject, plain text and HTML. */
import type { MailBrand, MailPart, Mails } from '../../core/feature/mail.ts'
import { htmlOf, plainTextOf } from './layout.ts'
import { english, french, german, type LayoutText } from './layout-text.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
  links: { label: string; url: string }[]
}

const layoutTexts: ReadonlyMap<string, LayoutText> = new Map([
  ['en', english],
  ['de', german],
  ['fr', french],
])

/** RFC 5322 allows a line of 998 characters, but a subject needs no more than this. */
const maxSubjectLength = 200

interface Rendering {
  brand: MailBrand
  /** A language tag (BCP 47), of which only the language is used. */
  locale: string
}

/** @throws Error for a link that does not begin with http or https, and whatever the template throws */
export function renderTemplate(
  mails: Mails,
  template: string,
  values: unknown,
  { brand, locale }: Rendering,
): RenderedMail {
  const written = mails.write(template, values, { language: new Intl.Locale(locale).language, brand })
  const { language, body } = written
  const subject = oneLine(written.subject).slice(0, maxSubjectLength).toWellFormed()
  const parts = body.map(checkedPart)
  const text = layoutTexts.get(language) ?? english
  const layout = { subject, parts, brand: { ...brand, name: oneLine(brand.name) }, text, language }
  const links = parts.flatMap((part) =>
    typeof part === 'string' || part.kind !== 'link' ? [] : [{ label: part.label, url: part.url }],
  )
  return { subject, text: plainTextOf(layout), html: htmlOf(layout), links }
}

/** Removes characters that end a line of a header, reverse the direction of text, or are not text. */
export function oneLine(text: string): string {
  return withoutControls(text).replaceAll(/\s+/g, ' ').trim()
}

function checkedPart(part: MailPart): MailPart {
  if (typeof part === 'string') return withoutControls(part)
  switch (part.kind) {
    case 'link':
      if (!/^https?:$/.test(URL.parse(part.url)?.protocol ?? ''))
        throw new Error('A link of a mail must begin with https:// or http://.')
      return { ...part, label: oneLine(part.label), url: new URL(part.url).href }
    case 'code':
      return { ...part, code: oneLine(part.code) }
    case 'rows':
      return {
        ...part,
        rows: part.rows.map(([name, value]) => [oneLine(name), withoutControls(value)] as const),
      }
  }
}

/** Removes control characters, except line feeds. */
function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/gu, ' ')
}
