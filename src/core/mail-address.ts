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
