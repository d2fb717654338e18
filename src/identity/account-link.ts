/** Links of mails to the account pages of an application. */
import { code, link, type MailPart } from '../core/feature/mail.ts'

/**
 * The token is in the fragment, which browsers do not send: it is in no log and no `Referer`.
 * @param accountUrl the setting `ACCOUNT_URL`; without it the mail has the token itself
 */
export function accountLink(
  accountUrl: string | null,
  page: string,
  { tenantId, token }: { tenantId: string; token: string },
): string | null {
  if (accountUrl === null) return null
  const url = new URL(`${accountUrl.replace(/\/$/, '')}/${page}`)
  url.searchParams.set('tenant', tenantId)
  url.hash = new URLSearchParams({ token }).toString()
  return url.href
}

/** A button that opens the page, or the token to be typed where the application asks for it. */
export function linkOrCode(label: string, { url, token }: { url: string | null; token: string }): MailPart {
  return url === null ? code(token) : link(label, url)
}
