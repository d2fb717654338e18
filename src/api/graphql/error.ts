/** GraphQL errors: each has a code, and none reveals internals. */
import { type ASTNode, GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { Context } from '../../core/context.ts'
import type { ErrorKind, ServiceError } from '../../core/errors.ts'
import type { FieldAccess } from '../../core/feature/field.ts'
import { TooSlow } from '../../core/live/stream.ts'
import type { FailureLog } from '../../core/log/failure-log.ts'
import { isPermission, lacking } from '../../core/permission.ts'
import { StatementTimedOut } from '../../database/executor.ts'
import { RowTooLarge } from '../../database/read/measure.ts'
import { maxRowBytes } from '../../database/read/selection.ts'
import { toServiceError } from '../http/reply/error-reply.ts'

/** The codes of errors. Some equal those of Hot Chocolate, a GraphQL server for .NET: its clients know them. */
export const codes = {
  syntax: 'HC0014',
  value: 'HC0016',
  nonNull: 'HC0018',
  introspection: 'HC0046',
  cost: 'HC0047',
  pageSize: 'HC0051',
  cursor: 'HC0078',
  validation: 'GRAPHQL_VALIDATION_FAILED',
  operation: 'OPERATION_RESOLUTION_FAILURE',
  persisted: 'PERSISTED_QUERY_NOT_FOUND',
  persistedMismatch: 'PERSISTED_QUERY_MISMATCH',
  notPersisted: 'PERSISTED_QUERY_ONLY',
  notAuthenticated: 'AUTH_NOT_AUTHENTICATED',
  notAuthorized: 'AUTH_NOT_AUTHORIZED',
  timeout: 'HC0045',
  tooSlow: 'SUBSCRIBER_TOO_SLOW',
  reset: 'SUBSCRIPTION_RESET',
  tooManySubscriptions: 'TOO_MANY_SUBSCRIPTIONS',
} as const

export type GraphQLRefusal = keyof typeof codes

const namedKinds: Partial<Record<ErrorKind, string>> = {
  invalid: 'BAD_USER_INPUT',
  unauthorized: codes.notAuthenticated,
  forbidden: codes.notAuthorized,
  wrongTenant: codes.notAuthorized,
  tenantInactive: codes.notAuthorized,
}

/** @param nodes at fault in the document */
export function refuse(
  refusal: GraphQLRefusal,
  message: string,
  nodes: readonly ASTNode[] = [],
): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code: codes[refusal] } })
}

/** @returns why the actor may not use the field at present, or `null` */
export function accessError({ actor }: Pick<Context, 'actor'>, access: FieldAccess): GraphQLError | null {
  if (access === 'public') return null
  if (actor === null) return refuse('notAuthenticated', 'A valid bearer token is required.')
  if (isPermission(access) && !actor.permissions.has(access)) {
    return toFieldError(lacking(access))
  }
  return null
}

/** @throws GraphQLError if the actor may not use the field */
export function checkAccess(caller: Pick<Context, 'actor'>, access: FieldAccess): void {
  const error = accessError(caller, access)
  if (error !== null) throw error
}

export function tookTooLong(): GraphQLError {
  return refuse('timeout', 'The operation took too long.')
}

function rowTooLarge(): GraphQLError {
  return refuse('cost', `A row with its related rows may have at most ${maxRowBytes} bytes: select less.`)
}

/**
 * Makes the error of a field. It has the public text only.
 * @param database the id of a tenant with a database of its own, for the log; empty for the shared database
 */
export function fieldError(
  error: unknown,
  requestId: string,
  failures: FailureLog,
  database = '',
): GraphQLError {
  if (error instanceof GraphQLError) return error
  if (error instanceof StatementTimedOut) return tookTooLong()
  if (error instanceof RowTooLarge) return rowTooLarge()
  if (error instanceof TooSlow) return refuse('tooSlow', error.message)
  const known = toServiceError(error, requestId)
  if (known.status >= 500) failures.report(error, known, database, { requestId })
  return toFieldError(known)
}

function toFieldError(known: ServiceError): GraphQLError {
  return new GraphQLError(known.message, { extensions: extensionsOf(known) })
}

/** Adds where the field is in the document and in the reply. @param as the name of the field in the reply */
export function located(error: GraphQLError, nodes: readonly ASTNode[], as: string): GraphQLError {
  const { message, extensions } = error
  return new GraphQLError(message, { nodes: error.nodes ?? nodes, path: [as], extensions })
}

/** The limit in characters. Messages of graphql-js quote values, which may be as long as the request. */
const maxMessageLength = 500

export function format(errors: readonly GraphQLError[]): GraphQLFormattedError[] {
  return errors.map((error) => {
    const formatted = error.toJSON()
    const { message } = formatted
    return message.length <= maxMessageLength
      ? formatted
      : { ...formatted, message: `${message.slice(0, maxMessageLength).toWellFormed()}…` }
  })
}

export function codeOfKind(kind: ErrorKind): string {
  return namedKinds[kind] ?? kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

function extensionsOf({ kind, faults, refused }: ServiceError): Record<string, unknown> {
  const code = codeOfKind(kind)
  return {
    code,
    ...(refused.code !== kind && { refusal: refused }), // a code that says no more than the kind is left out
    ...(faults.length > 0 && { faults }),
  }
}
