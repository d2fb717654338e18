/** GraphQL over HTTP: queries by GET, everything by POST. */
import { Type } from 'typebox'
import { credentialsOf } from '../../../core/authenticator.ts'
import type { Context } from '../../../core/context.ts'
import { refusal } from '../../../core/errors.ts'
import { JsonText, Reply, type Route, type RouteInput, route } from '../../../core/feature/route.ts'
import { PeriodicCheck } from '../../../core/periodic-check.ts'
import { Nullable } from '../../../core/schema/schema.ts'
import { mediaTypeNegotiator } from '../../http/reply/negotiate.ts'
import { exampleOf } from '../../openapi/example.ts'
import { type PreparedOperation, Refused } from '../document/operation.ts'
import { fieldError, format, refuse } from '../error.ts'
import type { Gateway } from '../gateway.ts'
import { textOf } from '../json-writer.ts'
import type { OperationOutcome } from '../outcome.ts'
import { defaultKeepAliveMs, EventStream, oneEvent } from './event-stream.ts'
import {
  fromBody,
  fromQuery,
  GraphQLQuery,
  GraphQLRequest,
  openObject,
  type RequestParameters,
} from './parameters.ts'
import type { SessionMonitor } from './session-monitor.ts'

const responseType = 'application/graphql-response+json'
const jsonType = 'application/json'
const eventStreamType = 'text/event-stream'

type MediaType = typeof responseType | typeof jsonType | typeof eventStreamType

/** The media type that a client accepts (GraphQL over HTTP, section 6.1); `null` when none is acceptable. */
const acceptedType: (accept: string | undefined) => MediaType | null = mediaTypeNegotiator([
  jsonType,
  responseType,
  eventStreamType,
])

const GraphQLResponse = Type.Object(
  {
    data: Type.Optional(
      Nullable({ ...openObject, description: 'The result; absent if nothing was executed' }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          { message: Type.String({ description: 'The error in words' }) },
          { additionalProperties: true },
        ),
        { description: 'The errors, each with a code in `extensions.code`' },
      ),
    ),
  },
  { $id: 'GraphQLResponse', description: 'A response of the GraphQL specification.' },
)

/** GraphQL over HTTP, section 6. */
const typesText =
  'The reply is `application/json` unless `Accept` prefers another type. An operation that is not executed, for ' +
  'instance because its document is invalid, is 200 with `errors` as `application/json`, and 400 as any other type. ' +
  'A request without an operation is 400 with a `message`.'

const refusedExample = { errors: [{ message: 'Cannot query field "product" on type "Order".' }] }

const common = {
  path: '/graphql',
  tag: 'GraphQL',
  access: 'public',
  impersonation: 'allowed', // each field says so itself
  reply: GraphQLResponse,
  otherTypes: [
    { status: 200, type: responseType, schema: GraphQLResponse, example: exampleOf(GraphQLResponse) },
    {
      status: 200,
      type: eventStreamType,
      schema: Type.String({ description: 'Events `next`, each with a response, and `complete`' }),
      example: 'event: next\ndata: {"data":{"__typename":"Query"}}\n\nevent: complete\ndata:\n\n',
    },
    { status: 400, type: responseType, schema: GraphQLResponse, example: refusedExample },
  ],
  errors: ['invalid'],
  countsItself: true,
} as const

export interface HttpParts {
  gateway: Gateway
  sessionMonitor: SessionMonitor
  /** Counts open event streams. */
  eventStreams: { open: number }
  keepAliveMs?: number | undefined
}

interface Parts extends HttpParts {
  keepAliveMs: number
  checks: PeriodicCheck
}

const checkIntervalMs = 1000

export function graphqlRoutes(given: HttpParts): Route[] {
  const { keepAliveMs = defaultKeepAliveMs } = given
  const checks = new PeriodicCheck(Math.min(checkIntervalMs, keepAliveMs))
  const parts: Parts = { ...given, keepAliveMs, checks }
  return [
    route({
      ...common,
      method: 'GET',
      name: 'graphqlByGet',
      summary: 'Run a GraphQL query',
      description: `Also runs a subscription, with \`Accept: text/event-stream\`. A mutation requires POST. ${typesText}`,
      query: GraphQLQuery,
      errors: ['invalid', 'methodNotAllowed', 'notAcceptable', 'tooManyRequests'],
      handle: (context, { query, headers }) =>
        answer(parts, context, { parameters: fromQuery(query), headers, isGet: true }),
    }),
    route({
      ...common,
      method: 'POST',
      name: 'graphql',
      summary: 'Run a GraphQL operation',
      description:
        'The schema is in `schema.graphql`, and `/graphql/ui` is a page to try it. A subscription requires ' +
        `\`Accept: text/event-stream\`, or a WebSocket at the same address. ${typesText}`,
      body: GraphQLRequest,
      errors: ['invalid', 'notAcceptable'],
      handle: (context, { body, headers }) =>
        answer(parts, context, { parameters: fromBody(body), headers, isGet: false }),
    }),
  ]
}

interface ParsedRequest {
  parameters: RequestParameters
  headers: RouteInput<never, never>['headers']
  isGet: boolean
}

async function answer(parts: Parts, context: Context, request: ParsedRequest): Promise<Reply> {
  const { parameters, headers, isGet } = request
  const type = acceptedType(headerOf(headers, 'accept') ?? undefined)
  if (type === null) throw refusal('replyTypes', { types: `${responseType} or ${jsonType}` })
  try {
    const operation = await parts.gateway.prepare(parameters, parameters.operationName, context)
    if (isGet) refuseMutation(operation)
    if (operation.kind === 'subscription') {
      if (type !== eventStreamType) throw refusal('subscriptionByStream')
      return streaming(await subscribe(parts, context, operation, request))
    }
    const outcome = await parts.gateway.run(
      context,
      parts.gateway.invocation(operation, parameters.variables),
    )
    return type === eventStreamType ? oneResult(outcome) : completed(outcome, type)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const text = JSON.stringify({ errors: format(error.errors) })
    return type === jsonType ? reply(text, jsonType, 200) : reply(text, responseType, 400)
  }
}

function refuseMutation({ kind }: PreparedOperation): void {
  if (kind !== 'mutation') return
  throw refusal('mutationByPost', {}, { headers: { allow: 'POST' } })
}

/** A refusal is sent in the stream, because the request is well-formed. */
async function subscribe(
  { gateway, sessionMonitor, eventStreams, checks, keepAliveMs }: Parts,
  context: Context,
  operation: PreparedOperation,
  { parameters, headers }: ParsedRequest,
): Promise<AsyncIterable<string>> {
  const { actor, clientAddress: address, tenant, requestId, shared } = context
  const after = headerOf(headers, 'last-event-id')
  try {
    const invocation = gateway.invocation(operation, parameters.variables)
    const stream = await gateway.subscribe(invocation, { actor, tenant, requestId, address, after })
    const { failures } = shared
    const events = new EventStream(stream, (error) => fieldError(error, requestId, failures), keepAliveMs)
    const credentials = credentialsOf({ headers, ip: address ?? '' })
    const leave = () => stream.fail(refuse('notAuthenticated', 'The token is no longer valid.'))
    const endSession = sessionMonitor.watch({ credentials, tenantId: tenant.id, leave })
    const endChecks = checks.watch(events)
    eventStreams.open++
    stream.onEnd(() => {
      eventStreams.open--
      endSession()
      endChecks()
    })
    return events
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return oneEvent(JSON.stringify({ errors: format(error.errors) }))
  }
}

/** Keeps nginx from buffering the stream. */
const unbuffered = { 'x-accel-buffering': 'no' }

function streaming(events: AsyncIterable<string>): Reply {
  return new Reply(new JsonText(events, eventStreamType), unbuffered)
}

function completed({ json, headers, reservation }: OperationOutcome, type: MediaType): Reply {
  return new Reply(new JsonText(json, `${type}; charset=utf-8`, reservation), headers)
}

function oneResult({ json, headers, reservation }: OperationOutcome): Reply {
  const events = oneEvent(textOf(json))
  return new Reply(new JsonText(events, eventStreamType, reservation), { ...headers, ...unbuffered })
}

function reply(text: string, type: MediaType, status: number): Reply {
  return new Reply(new JsonText(text, `${type}; charset=utf-8`), {}, status)
}

function headerOf(headers: ParsedRequest['headers'], name: string): string | null {
  const value = headers[name]
  return value === undefined || value === '' ? null : String(value)
}
