import { foldText } from '../database/fold-text.ts'

/** Of the path of RFC 5321, section 4.5.3.1.3. */
export const maxAddressLength = 256

/**
 * Whether the text is one plain address: nothing in it separates addresses, or ends a line of a header or a command.
 * Quoted local parts and literal IP addresses (RFC 5321) are refused, because programs read them differently.
 */
export function isMailAddress(text: string): boolean {
  return (
    text.length <= maxAddressLength &&
    text.isWellFormed() &&
    /^[^\s\p{Cc}\p{Cf}"(),:;<>@[\\\]]+@[\p{L}\p{N}]([\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(text)
  )
}

/** Gmail ignores dots in the names of mailboxes. */
const dotless: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/**
 * Whoever reads the mails of the address: written in other cases, and with a tag (`ada+shop@…`, RFC 5233), it is the
 * same mailbox. That of a provider with other rules, or of a domain whose addresses all lead to one, is not recognised.
 */
export function mailboxOf(address: string): string {
  const folded = foldText(address)
  const at = folded.lastIndexOf('@')
  const [name = ''] = folded.slice(0, at).split(/(?<=.)\+/)
  const domain = folded.slice(at + 1)
  return dotless.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

export interface MailSender {
  /** `null`: without a name. */
  name: string | null
  address: string
}

/** Reads `Acme <post@acme.example>` or `post@acme.example`. @returns `null` for anything else */
export function parseSender(text: string): MailSender | null {
  const [, quoted, address = text.trim()] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const name = quoted?.trim().replace(/^"(.*)"$/, '$1') ?? ''
  if (!isMailAddress(address) || /["\\]/.test(name) || /\p{Cc}/u.test(text)) return null
  return { name: name === '' ? null : name, address }
}
