import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'
import { foldText } from '../database/fold-text.ts'

/** Checks and compares mail addresses. */

/** The maximum length of an address in bytes: that of a path in RFC 5321, section 4.5.3.1.3. */
export const maxAddressLength = 256

/** Characters of a local part without quotes: those of RFC 5322, and those of other scripts (RFC 6531). */
const localPart = /^[^\s\p{Cc}\p{Cf}"(),.:;<>@[\\\]]+(\.[^\s\p{Cc}\p{Cf}"(),.:;<>@[\\\]]+)*$/u
const domainOfAnyScript = /^[\p{L}\p{M}\p{N}.-]+$/u
/** A host name as RFC 1034, section 3.5, and RFC 1123, section 2.1, allow it. */
const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * Whether the text is one plain address, of any script: nothing in it separates addresses, or ends a line of a
 * header or a command. Quoted local parts and literal IP addresses (RFC 5321) are refused, because programs read
 * them differently.
 */
export function isMailAddress(text: string): boolean {
  const { name, domain } = partsOf(text)
  return (
    text.isWellFormed() &&
    Buffer.byteLength(text) <= maxAddressLength &&
    localPart.test(name) &&
    asciiDomain(domain) !== null
  )
}

/**
 * The form in which addresses are compared: without case, composed (NFC), and the domain in ASCII (UTS 46). A text
 * that is no address, such as a user name, is case-folded alike.
 */
export function foldAddress(text: string): string {
  const { name, domain } = partsOf(text)
  const caseFolded = name.normalize('NFC').toLowerCase()
  return domain === '' && !text.endsWith('@') ? caseFolded : `${caseFolded}@${foldMailDomain(domain)}`
}

/** The domain in ASCII and lower case. A text that is no domain only becomes lower case. */
export function foldMailDomain(domain: string): string {
  return asciiDomain(domain) ?? domain.toLowerCase()
}

/** The address with its domain in ASCII, which every mail server takes. */
export function withAsciiDomain(address: string): string {
  const { name, domain } = partsOf(address)
  return `${name}@${foldMailDomain(domain)}`
}

/** Whether only servers with the extension SMTPUTF8 (RFC 6531) take the address: its domain has a form in ASCII. */
export function needsUtf8(address: string): boolean {
  return !isAscii(partsOf(address).name)
}

/** @returns `null` for a text that is not a domain */
function asciiDomain(domain: string): string | null {
  const isPlain = isAscii(domain)
  if (!isPlain && !domainOfAnyScript.test(domain)) return null
  const ascii = isPlain ? domain.toLowerCase() : domainToASCII(domain)
  // Digits of other scripts would be read as an IP address.
  return hostName.test(ascii) && (isPlain || !isIPv4(ascii)) ? ascii : null
}

function isAscii(text: string): boolean {
  return !/[^\p{ASCII}]/u.test(text)
}

function partsOf(text: string): { name: string; domain: string } {
  const sign = text.lastIndexOf('@')
  return sign === -1
    ? { name: text, domain: '' }
    : { name: text.slice(0, sign), domain: text.slice(sign + 1) }
}

/** Gmail ignores dots in the names of mailboxes. */
const dotless: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/**
 * @returns a text that is equal for addresses of one mailbox: case does not matter, nor a tag (`ada+shop@…`, RFC 5233).
 *   Mailboxes of providers with further rules, or of domains whose addresses all lead to one, are not recognized.
 */
export function mailboxOf(address: string): string {
  const parts = partsOf(address)
  const domain = foldMailDomain(parts.domain)
  const [name = ''] = foldText(parts.name).split(/(?<=.)\+/)
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
