/** Links of mails to the account pages: those of the application, or else those of the service. */

export interface AccountPages {
  /** Ends without a slash. */
  url: string
  /** Whether the service serves them itself. */
  isOwn: boolean
}

/** @param accountUrl the setting `ACCOUNT_URL`: where the application has its pages */
export function accountPages(accountUrl: string | null, baseUrl: string): AccountPages {
  return accountUrl === null
    ? { url: `${baseUrl}/account`, isOwn: true }
    : { url: accountUrl.replace(/\/$/, ''), isOwn: false }
}

/**
 * The address of a page with a token. Pages of an application get the token in the fragment, which browsers do not
 * send: it is in no log and no `Referer`. The pages of the service work without scripts, and get it in the query.
 */
export function accountLink(
  { url: base, isOwn }: AccountPages,
  page: string,
  { tenantId, token }: { tenantId: string; token: string },
): string {
  const url = new URL(`${base}/${page}`)
  url.searchParams.set('tenant', tenantId)
  if (isOwn) url.searchParams.set('token', token)
  else url.hash = new URLSearchParams({ token }).toString()
  return url.href
}
