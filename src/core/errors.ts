/**
 * The registry of errors: status and public text of each kind. Transports render errors from it. Many refusals also
 * have a code, which says more than the kind and by which clients say the text in other languages.
 */
import type { FaultKind, PlainFaultCode } from './fault-codes.ts'
import { programRefusals } from './program-refusals.ts'
import { refusals } from './refusals.ts'

export const errorKinds = {
  invalid: { status: 400, text: 'The request is not valid.' },
  unauthorized: { status: 401, text: 'A valid bearer token is required.' },
  badCredentials: { status: 401, text: 'The user name or the password is wrong.' },
  secondFactorRequired: { status: 401, text: 'The password is right. A second factor is required.' },
  badRefreshToken: { status: 401, text: 'The refresh token is not valid.' },
  forbidden: { status: 403, text: 'You do not have the permission for this.' },
  wrongTenant: { status: 403, text: 'The token does not belong to this tenant.' },
  tenantInactive: { status: 403, text: 'This tenant is not active.' },
  notFound: { status: 404, text: 'Not found.' },
  methodNotAllowed: { status: 405, text: 'The method is not allowed at this address.' },
  notAcceptable: { status: 406, text: 'No media type of the reply is acceptable to the request.' },
  conflict: { status: 409, text: 'The request conflicts with another change. Try again.' },
  countChanged: { status: 409, text: 'Another number of rows matches than the caller has seen.' },
  preconditionFailed: { status: 412, text: 'The resource has changed since it was read.' },
  tooLarge: { status: 413, text: 'The request body is too large.' },
  unsupportedMediaType: { status: 415, text: 'The request body must be application/json.' },
  rangeNotSatisfiable: { status: 416, text: 'The range begins after the end of the content.' },
  keyReused: { status: 422, text: 'This Idempotency-Key was used with another request.' },
  tooManyRequests: { status: 429, text: 'Too many requests. Try again later.' },
  headersTooLarge: { status: 431, text: 'The request headers are too large.' },
  internal: { status: 500, text: 'Something went wrong on our side.' },
  unavailable: { status: 503, text: 'The service cannot answer right now. Try again shortly.' },
  overloaded: { status: 503, text: 'The service is overloaded right now. Try again shortly.' },
} as const satisfies Record<string, { status: number; text: string }>

export type ErrorKind = keyof typeof errorKinds

const declared = { ...refusals, ...programRefusals } satisfies Readonly<
  Record<string, { kind: ErrorKind; text: string }>
>

export type RefusalCode = keyof typeof declared

/** The codes that say why a credential is not accepted. */
export type CredentialRefusal = {
  [C in RefusalCode]: (typeof declared)[C]['kind'] extends 'unauthorized' ? C : never
}[RefusalCode]

type Parameters = Readonly<Record<string, string | number>>

/** The names in braces in a text, for example `limit` in `at most {limit} rows`. */
type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

type ParametersOf<C extends RefusalCode> = Readonly<
  Record<NamesIn<(typeof declared)[C]['text']>, string | number>
>

/** One fault of an input: a JSON pointer and a reason, as in RFC 9457. */
export interface Fault {
  pointer: string
  reason: string
  /** The code for programs; absent for a refusal that an application words itself. */
  kind?: FaultKind
}

/** The code for programs: the kind of the error, or one that is more specific, with the parameters of its text. */
interface Refused {
  code: ErrorKind | RefusalCode
  parameters: Parameters
}

export interface ErrorDetail {
  cause?: unknown
  faults?: readonly Fault[]
  refused?: Refused
  retryAfterSeconds?: number
  headers?: Readonly<Record<string, string>>
}

/** An expected failure. Its text may leave the process, its `cause` never does. */
export class ServiceError extends Error {
  readonly kind: ErrorKind
  readonly status: number
  readonly faults: readonly Fault[]
  readonly refused: Refused
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: ErrorKind, text: string = errorKinds[kind].text, detail: ErrorDetail = {}) {
    super(text, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.kind = kind
    this.status = errorKinds[kind].status
    this.faults = detail.faults ?? []
    this.refused = detail.refused ?? { code: kind, parameters: {} }
    const wait = detail.retryAfterSeconds
    this.headers =
      wait === undefined ? (detail.headers ?? {}) : { ...detail.headers, 'retry-after': `${wait}` }
  }
}

/**
 * Makes a refusal of the whole request, in the words that the registry has for its code.
 * @param parameters the values for the names in braces in the text
 */
export function refusal<C extends RefusalCode>(
  code: C,
  ...[parameters, detail = {}]: RefusalArguments<C>
): ServiceError {
  const { kind, text } = declared[code]
  const given: Parameters = parameters ?? {}
  const said = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${given[name]}`)
  return new ServiceError(kind, said, { ...detail, refused: { code, parameters: given } })
}

type RefusalArguments<C extends RefusalCode> = keyof ParametersOf<C> extends never
  ? [parameters?: Readonly<Record<string, never>>, detail?: ErrorDetail]
  : [parameters: ParametersOf<C>, detail?: ErrorDetail]

/**
 * Makes a 401 with its reason. The challenge names an error only if the request has a token (RFC 6750, section 3.1).
 */
export function unauthorized(code: CredentialRefusal, cause?: unknown): ServiceError {
  const error =
    code === 'noToken' || code === 'otherScheme'
      ? ''
      : ` error="invalid_token", error_description="${declared[code].text}"`
  return refusal(code, {}, { cause, headers: { 'www-authenticate': `Bearer${error}` } })
}

/**
 * Makes a 400 for one field.
 * @param field the member as the caller wrote it, e.g. `price`
 * @param coded the kind of the refusal, by which clients say it in other languages
 */
export function invalidField(
  field: string,
  reason: string,
  coded?: PlainFaultCode | FaultKind,
): ServiceError {
  const fault = faultAt(`/${field}`, reason, coded)
  return new ServiceError('invalid', `${field}: ${reason}`, { faults: [fault] })
}

export function faultAt(pointer: string, reason: string, coded?: PlainFaultCode | FaultKind): Fault {
  if (coded === undefined) return { pointer, reason }
  return { pointer, reason, kind: typeof coded === 'string' ? { code: coded } : coded }
}
