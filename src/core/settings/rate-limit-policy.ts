/** Policies of rate limits: how many requests a client may send in any period of a given length. */
import type { Limit } from '../../database/limit.ts'

export interface Policy {
  name: string
  requests: number
  seconds: number
}

/** The policy for sign-ins, and for requests with tokens from mails. */
export const strict: Policy = { name: 'strict', requests: 5, seconds: 10 }

/**
 * The policy for requests that may send a mail to somebody else. Every request counts, whether or not a mail is sent:
 * otherwise the count would reveal who has an account.
 */
export const mailing: Policy = { name: 'mail', requests: 50, seconds: 3600 }

export const strictLimit: Limit = {
  name: 'sign-ins and requests with tokens of mails: the policy `strict`',
  kind: 'rate',
  bounds: { address: inWindow(strict) },
  changedBy: ['SIGN_IN_LIMIT', 'strictRequests'],
  beyond: '429 with `Retry-After` and `RateLimit`',
  page: 'api/rate-limits.md#sign-in',
}

export const mailingLimit: Limit = {
  name: 'requests that may send a mail to somebody else: the policy `mail`',
  kind: 'rate',
  bounds: { address: inWindow(mailing) },
  changedBy: ['mailRequests'],
  beyond: '429 with `Retry-After` and `RateLimit`',
  page: 'api/rate-limits.md#sign-in',
}

export const ownPolicyLimit: Limit = {
  name: 'requests and GraphQL operations, by the policies of the setting',
  kind: 'rate',
  bounds: { address: 'the setting' },
  changedBy: ['RATE_LIMITS'],
  beyond: '429 with `Retry-After` and `RateLimit`; over a WebSocket an error',
  page: 'api/rate-limits.md#your-own-policies',
}

function inWindow({ requests, seconds }: Omit<Policy, 'name'>): string {
  return `${requests} in ${seconds} seconds`
}

/** The key by which sign-ins are counted: the address, or the address and the account. */
export type SignInLimit = 'address' | 'account'

/** Renders `RateLimit-Policy` as the IETF draft defines it. */
export function policyHeader({ name, requests, seconds }: Policy): string {
  return `"${name}";q=${requests};w=${seconds}`
}

const kinds = /^(default|read|write)$/
const route = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/
const field = /^(query|mutation|subscription) ([_A-Za-z]\w*)$/
const quota = /^([1-9]\d{0,6})\/([1-9]\d{0,4})$/
const maxRequests = 1_000_000
const maxSeconds = 86_400

/**
 * @param text of RATE_LIMITS: `default=600/60, write=100/60, POST /api/orders=10/1, mutation createOrder=10/1`
 * @throws Error with the fault
 */
export function parseRateLimits(text: string): Policy[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const policies = entries.map(parseEntry)
  const names = policies.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`must not name ${twice} twice`)
  return policies
}

function parseEntry(entry: string): Policy {
  const [, target = '', limit = ''] = /^(.*\S)\s*=\s*(\S+)$/.exec(entry) ?? []
  const name = nameOf(target.replaceAll(/\s+/g, ' '))
  if (name === null) {
    throw new Error(
      'must have entries such as default=600/60, read=…, write=…, POST /api/orders=10/1 or mutation createOrder=10/1; ' +
        `not ${entry}`,
    )
  }
  const [, requests, seconds] = quota.exec(limit) ?? []
  if (requests === undefined || Number(requests) > maxRequests || Number(seconds) > maxSeconds) {
    throw new Error(
      `must give each entry requests/seconds, up to ${maxRequests}/${maxSeconds}, such as 600/60; not ${entry}`,
    )
  }
  return { name, requests: Number(requests), seconds: Number(seconds) }
}

/** Parameters of a path may be written as in the OpenAPI document, `{id}`, or as in the documents, `:id`. */
function nameOf(target: string): string | null {
  const isName = kinds.test(target) || route.test(target) || field.test(target)
  return isName ? target.replaceAll(/\{(\w+)\}/g, ':$1') : null
}
