/** Links of mails to the account pages of an application. */
import { type Static, Type } from 'typebox'
import { code, link, type MailPart } from '../core/feature/mail.ts'

/** Values of a mail that has a link. */
export const linkValues = Type.Object({
  token: Type.String(),
  url: Type.Union([Type.String(), Type.Null()]),
})
export type LinkValues = Static<typeof linkValues>

/**
 * The token is in the fragment, which browsers do not send: it is in no log and no `Referer`.
 * @param accountUrl the setting `ACCOUNT_URL`; without it the mail has the token itself
 */
export function accountLink(
  accountUrl: string | null,
  page: string,
  { tenantId, token }: { tenantId: string; token: string },
): LinkValues {
  if (accountUrl === null) return { token, url: null }
  const url = new URL(`${accountUrl.replace(/\/$/, '')}/${page}`)
  url.searchParams.set('tenant', tenantId)
  url.hash = new URLSearchParams({ token }).toString()
  return { token, url: url.href }
}

/** A button that opens the page, or the token to be typed where the application asks for it. */
export function linkOrCode(label: string, { url, token }: LinkValues): MailPart {
  return url === null ? code(token) : link(label, url)
}
