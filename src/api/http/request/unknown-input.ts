/** Ignores, logs or refuses unknown query parameters and members of the body. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Shared } from '../../../core/context.ts'
import { type Fault, faultAt, ServiceError } from '../../../core/errors.ts'
import type { Route } from '../../../core/feature/route.ts'
import { throttleNames } from '../../../core/log/log-throttle.ts'
import { nearestName, suggestion } from '../../../core/names.ts'
import { fieldName } from '../../../core/schema/schema-errors.ts'
import { unknownMemberFinder } from '../../../core/schema/unknown-member.ts'
import type { Config } from '../../../core/settings/config.ts'

export interface UnknownInput {
  /** Whether all requests are handled strictly. */
  strict: boolean
  /** Called with ignored parameters; `null` in production, where they are not searched for. */
  warn: ((unknown: UnknownParameter) => void) | null
}

/** An ignored query parameter. Its value is left out, because it may be a secret. */
interface UnknownParameter {
  route: string
  parameter: string
  meant: string | null
}

const maxLoggedLength = 100

/**
 * @returns a function that returns whether the request is handled strictly, and sets `Preference-Applied`; in strict
 *   handling it throws ServiceError `invalid` for unknown input
 */
export function unknownInputCheck(route: Route, { strict: always, warn }: UnknownInput) {
  const known = [...Object.keys(route.query === undefined ? {} : propertiesOf(route.query)), 'tenant']
  const name = `${route.method} ${route.path}`
  const unknownMembers = route.body === undefined ? () => [] : unknownMemberFinder(route.body)
  const report = (parameters: readonly string[]): void => {
    for (const parameter of parameters)
      warn?.({ route: name, parameter, meant: nearestName(parameter, known) })
  }
  const refusesParameters = route.refusesUnknownParameters === true
  const isSilent = !always && warn === null && !refusesParameters
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { prefer } = request.headers
    if (prefer === undefined && isSilent) return false
    const handling = applyHandling(prefer, always, reply)
    const parameters = unknownParameters(request.query, known)
    if (handling === 'strict') refuse([...unknownMembers(request.body), ...parameters.map(toFault(known))])
    else if (refusesParameters) refuse(parameters.map(toFault(known)))
    else report(parameters)
    return handling === 'strict'
  }
}

/** Tells the client if its preference is followed. */
function applyHandling(prefer: unknown, always: boolean, reply: FastifyReply): Handling {
  const preferred = prefer === undefined ? null : preferredHandling(String(prefer))
  const handling = always ? 'strict' : (preferred ?? 'lenient')
  if (preferred === handling) reply.header('preference-applied', `handling=${handling}`)
  return handling
}

export function unknownInputOf({ production, strictInput }: Config, shared: Shared): UnknownInput {
  return { strict: strictInput, warn: production ? null : warningLogger(shared) }
}

/** Logs for developers of clients. */
function warningLogger({ clock, log }: Shared) {
  const throttle = throttleNames(clock)
  return ({ route, parameter, meant }: UnknownParameter): void => {
    const name = parameter.slice(0, maxLoggedLength)
    if (throttle.isDue(`${route} ${name}`)) {
      log.warn({ route, parameter: name, meant }, 'unknown query parameter')
    }
  }
}

function propertiesOf(schema: object): object {
  return 'properties' in schema ? (schema.properties as object) : {} // queries are object schemas
}

const none: readonly string[] = []
/** The number of reported faults. */
const maxReported = 20

/** Allocates nothing for requests without unknown parameters. */
function unknownParameters(query: unknown, known: readonly string[]): readonly string[] {
  let unknown: string[] | null = null
  const given = query as object // the query parser returns an object without inherited members
  for (const name in given) {
    if (known.includes(name)) continue
    unknown ??= []
    if (unknown.push(name) === maxReported) break
  }
  return unknown ?? none
}

function toFault(known: readonly string[]): (parameter: string) => Fault {
  return (parameter) => {
    const reason = `is not a parameter of this address${suggestion(parameter, known)}`
    return faultAt(`/${parameter}`, reason, 'unknownMember')
  }
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length === 0) return
  const reported = faults.slice(0, maxReported)
  const text = reported.map(({ pointer, reason }) => `${fieldName(pointer)}: ${reason}`).join('; ')
  throw new ServiceError('invalid', text, { faults: reported })
}

/** The preference `handling` of the header `Prefer` (RFC 7240, section 4.4). */
export type Handling = 'strict' | 'lenient'

/** Preferences are separated by commas outside of quotes. An unclosed quote extends to the end. */
const preferences = /(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^,"])+/g
const handling = /^\s*handling\s*=\s*"?(strict|lenient)"?\s*(?:;|$)/i

/** @returns the first known value of `handling`; `null` without one */
function preferredHandling(header: string): Handling | null {
  for (const [preference] of header.matchAll(preferences)) {
    const found = handling.exec(preference)?.[1]
    if (found !== undefined) return found.toLowerCase() === 'strict' ? 'strict' : 'lenient'
  }
  return null
}
