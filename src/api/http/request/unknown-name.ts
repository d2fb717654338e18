/** Reports or refuses well-formed names of events and actions that no feature declares. */
import type { Context } from '../../../core/context.ts'
import { faultAt, ServiceError } from '../../../core/errors.ts'
import type { DeclaredNames } from '../../../core/names.ts'
import { fieldName } from '../../../core/schema/schema-errors.ts'

/** The number of reported names, because headers are limited. */
const maxReported = 20
/** The names that a header states without quotes (RFC 8941, section 3.3.4). */
const token = /^[A-Za-z*][\w!#$%&'*+.^`|~:/-]*$/

/**
 * @param given the names of the request, each with a JSON pointer
 * @returns reply headers with the undeclared names
 * @throws ServiceError `invalid` with these names, if the request is handled strictly
 */
export function reportUnknownNames(
  context: Context,
  given: readonly (readonly [pointer: string, name: string])[],
  { declared, strict }: { declared: DeclaredNames; strict: boolean },
): Record<string, string> {
  const unknown = given.filter(([, name]) => !declared.has(name)).slice(0, maxReported)
  if (unknown.length === 0) return noHeaders
  if (strict) throw refusal(unknown, declared)
  const reported = [...new Set(unknown.map(([, name]) => name))]
  logUnknown(context, reported, declared)
  return { 'x-unknown-names': reported.map((name) => headerItem(name, declared.nearest(name))).join(', ') }
}

const noHeaders: Record<string, string> = {}

function refusal(unknown: readonly (readonly [string, string])[], declared: DeclaredNames): ServiceError {
  const faults = unknown.map(([pointer, name]) => {
    const meant = declared.nearest(name)
    const hint = meant === null ? '' : `; did you mean ${meant}?`
    return faultAt(pointer, `no feature declares ${name}${hint}`, 'unknownName')
  })
  const text = faults.map(({ pointer, reason }) => `${fieldName(pointer)}: ${reason}`).join('; ')
  return new ServiceError('invalid', text, { faults })
}

/** Throttled for each name of a tenant: an application may use its own names continuously. */
function logUnknown({ shared, tenant, requestId }: Context, names: string[], declared: DeclaredNames): void {
  for (const name of names) {
    if (!shared.unknownNames.isDue(`${tenant.id} ${name}`)) continue
    const meant = declared.nearest(name)
    shared.log.info({ tenantId: tenant.id, requestId, name, meant }, 'no feature declares this name')
  }
}

/** An item of a list (RFC 8941): `prodct.created; did-you-mean=product.created`. */
function headerItem(name: string, meant: string | null): string {
  return meant === null ? bareItem(name) : `${bareItem(name)}; did-you-mean=${bareItem(meant)}`
}

/** A token if possible, else a string, whose non-ASCII characters are percent-encoded. */
function bareItem(name: string): string {
  if (token.test(name)) return name
  const ascii = name.replace(/[^\x20-\x7e]+/gu, encodeURIComponent)
  return `"${ascii.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
