/** Conditional requests (RFC 9110, section 13): validators of replies, and preconditions of requests. */
import { ServiceError } from '../../../core/errors.ts'
import { type Precondition, type Versioned, viewOf } from '../../../core/precondition.ts'
import { isUnchanged, versionTag, withoutViews } from './etag.ts'
import { httpDate } from './http-date.ts'

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * `ETag` from the version, and `Last-Modified` in whole seconds, as far as the row has them. A row of which callers
 * see different members has no `Last-Modified`, because what a caller sees can change while the row does not.
 */
export function validatorsOf({ version, updatedAt, [viewOf]: view }: Versioned): Record<string, string> {
  const validators: Record<string, string> = {}
  if (version !== undefined) validators['etag'] = versionTag(version, view)
  if (updatedAt !== undefined && view === undefined) validators['last-modified'] = httpDate(updatedAt)
  return validators
}

/** Whether the client has the representation. `If-None-Match` has precedence over `If-Modified-Since`. */
export function isNotModified(
  headers: RequestHeaders,
  validators: Readonly<Record<string, string>>,
): boolean {
  const { etag, 'last-modified': modified } = validators
  const tags = headers['if-none-match']
  if (tags !== undefined) return etag !== undefined && isUnchanged(String(tags), etag)
  const since = headers['if-modified-since']
  if (since === undefined || modified === undefined) return false
  return since === modified || Date.parse(modified) <= readDate(String(since))
}

/**
 * The precondition of a change: `If-Match`, else `If-Unmodified-Since`, and `If-None-Match`. It throws ServiceError
 * `preconditionFailed`.
 */
export function preconditionOf(headers: RequestHeaders): Precondition {
  const { 'if-match': match, 'if-unmodified-since': since, 'if-none-match': noneMatch } = headers
  if (match === undefined && since === undefined && noneMatch === undefined) return null
  return (row) => {
    const isMet =
      (match === undefined ? isUnmodified(since, row) : matches(String(match), row)) &&
      (noneMatch === undefined || !matches(String(noneMatch), row))
    if (!isMet) throw new ServiceError('preconditionFailed')
  }
}

/**
 * `*` matches any existing row. A weak form of our tag matches as well, although RFC 9110, section 13.1.1, compares
 * strongly: the tag names the version of the row and not its bytes, and proxies that compress make it weak. The
 * members that the caller saw do not matter either.
 */
function matches(condition: string, row: Versioned | null): boolean {
  if (row === null) return false
  if (row.version === undefined) return condition.trim() === '*'
  return isUnchanged(withoutViews(condition), versionTag(row.version))
}

/** An invalid date is ignored. Changes within the same second are not detected; tags detect them. */
function isUnmodified(since: string | string[] | undefined, row: Versioned | null): boolean {
  if (since === undefined || row?.updatedAt === undefined) return true
  const seconds = readDate(String(since)) / 1000
  return Number.isNaN(seconds) || Math.floor(Date.parse(row.updatedAt) / 1000) <= seconds
}

/** Reads the three forms of RFC 9110, section 5.6.7. @returns milliseconds, NaN for other text */
function readDate(text: string): number {
  if (!/^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(text)) return Number.NaN
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
}
