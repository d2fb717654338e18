/**
 * Subdomains that customers would believe to be those of the operator. Only administrators of the
 * host tenant assign them to tenants.
 */
import { invalidField } from '../core/errors.ts'

export const reservedSubdomains: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator api app apps assets auth autoconfig autodiscover billing blog cdn console
  dashboard default demo dev developer developers dns docs download email events files ftp graphql health help host
  hostmaster imap info internal legal localhost login logout mail metrics monitor mx news ns ns1 ns2 oauth operator pay
  payment payments pop pop3 postmaster preview privacy public register root sandbox secure security shop sign-in sign-up
  signin signup smtp sso staff staging static status store support swagger system team tenant tenants terms test
  webhook webhooks webmaster webmail wpad www www1 www2`
    .split(/\s+/)
    .filter((name) => name !== ''),
)

/** @param further reserved names of the settings, in lower case @throws ServiceError `invalid` */
export function refuseReserved(subdomain: string | null | undefined, further: readonly string[]): void {
  if (isReserved(subdomain, further)) throw invalidField('subdomain', 'is reserved', 'reserved')
}

/** @param further reserved names of the settings, in lower case */
export function isReserved(subdomain: string | null | undefined, further: readonly string[]): boolean {
  const label = subdomain?.toLowerCase()
  if (label === undefined) return false
  // The prefix of an internationalised name (RFC 5890): it may look like any other name.
  return reservedSubdomains.has(label) || further.includes(label) || label.startsWith('xn--')
}
